//! Modules: reading, linking, checking, register promotion.

use super::text::given;
use super::{Type, Value, moves, versions};
use llvm_sys::LLVMLinkage;
use llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
use llvm_sys::bit_reader::LLVMGetBitcodeModuleInContext2;
use llvm_sys::core::*;
use llvm_sys::error::LLVMGetErrorMessage;
use llvm_sys::error_handling::LLVMInstallFatalErrorHandler;
use llvm_sys::linker::LLVMLinkModules2;
use llvm_sys::prelude::{LLVMContextRef, LLVMDiagnosticInfoRef, LLVMModuleRef, LLVMValueRef};
use llvm_sys::target::*;
use llvm_sys::transforms::pass_builder::{LLVMCreatePassBuilderOptions, LLVMDisposePassBuilderOptions, LLVMRunPasses};
use std::ffi::{CStr, CString, c_void};
use std::ptr;
use std::sync::Once;

/// Whether LLVM knows what to do where it cannot go on.
static FATAL: Once = Once::new();

/// How things are linked that others may name: defined once, or instantiated on demand.
const PROVIDED: [LLVMLinkage; 3] = [LLVMLinkage::LLVMExternalLinkage, LLVMLinkage::LLVMWeakAnyLinkage, LLVMLinkage::LLVMWeakODRLinkage];

/// A module with the context that it lives in.
pub struct Module {
    context: LLVMContextRef,
    module: LLVMModuleRef,
    /// What LLVM had to say against the input; LLVM keeps a pointer to it.
    #[allow(clippy::box_collection, reason = "it must stay where it is")]
    complaints: Box<String>,
}

/// A list of LLVM, from its first member on.
fn chained(first: LLVMValueRef, next: impl Fn(LLVMValueRef) -> LLVMValueRef) -> Vec<LLVMValueRef> {
    let there = |value: LLVMValueRef| Some(value).filter(|value| !value.is_null());
    std::iter::successors(there(first), |&value| there(next(value))).collect()
}

impl Module {
    /// An empty module.
    pub fn new() -> Module {
        FATAL.call_once(|| {
            // SAFETY: it is done once, and the handler does not return.
            unsafe { LLVMInstallFatalErrorHandler(Some(fail)) }
        });
        let mut complaints = Box::new(String::new());
        // SAFETY: the context and its diagnostic text are owned by the module and dropped after it.
        unsafe {
            let context = LLVMContextCreate();
            let kept: *mut String = &mut *complaints;
            LLVMContextSetDiagnosticHandler(context, Some(keep_complaint), kept.cast());
            let module = LLVMModuleCreateWithNameInContext(c"program".as_ptr(), context);
            Module { context, module, complaints }
        }
    }

    /// Adds what LLVM code, as text or bitcode, defines. The error says what is wrong with it, and where in the file of
    /// this name.
    pub fn add(&mut self, code: &[u8], file: &str) -> Result<(), String> {
        let name = CString::new(file).unwrap_or_default();
        // SAFETY: the reader takes the buffer, which is a copy; linking takes the module that was read.
        unsafe {
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(code.as_ptr().cast(), code.len(), name.as_ptr());
            let read = versions::parse(self.context, buffer).map_err(|message| self.complaint(given(message)))?;
            let mut message = ptr::null_mut();
            let failed = LLVMVerifyModule(read, LLVMVerifierFailureAction::LLVMReturnStatusAction, &mut message) != 0;
            let why = given(message);
            if failed {
                LLVMDisposeModule(read);
                return Err(why);
            }
            if LLVMGetFirstFunction(self.module).is_null() && LLVMGetFirstGlobal(self.module).is_null() {
                LLVMDisposeModule(std::mem::replace(&mut self.module, read));
                return Ok(());
            }
            match LLVMLinkModules2(self.module, read) {
                0 => Ok(()),
                _ => Err(self.complaint(String::new())),
            }
        }
    }

    /// Adds what bitcode defines, where the module names some of it and does not define it. Definitions of the module
    /// come first, and what nobody names may be dropped. Tells whether it was added.
    pub fn add_if_needed(&mut self, code: &[u8], file: &str) -> Result<bool, String> {
        let name = CString::new(file).unwrap_or_default();
        // SAFETY: the reader takes the buffer, which is a copy; linking takes the module that was read, or it is
        // dropped.
        unsafe {
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(code.as_ptr().cast(), code.len(), name.as_ptr());
            let mut read = ptr::null_mut();
            // Bodies of functions are read where they are linked.
            if LLVMGetBitcodeModuleInContext2(self.context, buffer, &mut read) != 0 {
                return Err(self.complaint(String::new()));
            }
            let functions = chained(LLVMGetFirstFunction(read), |f| LLVMGetNextFunction(f));
            let variables = chained(LLVMGetFirstGlobal(read), |g| LLVMGetNextGlobal(g));
            let aliases = chained(LLVMGetFirstGlobalAlias(read), |a| LLVMGetNextGlobalAlias(a));
            let mut is_needed = false;
            for value in functions.into_iter().chain(variables).chain(aliases) {
                if LLVMIsDeclaration(value) != 0 || !PROVIDED.contains(&LLVMGetLinkage(value)) {
                    continue;
                }
                LLVMSetLinkage(value, LLVMLinkage::LLVMLinkOnceAnyLinkage);
                let mut length = 0;
                let name = LLVMGetValueName2(value, &mut length);
                let (function, variable) = (LLVMGetNamedFunction(self.module, name), LLVMGetNamedGlobal(self.module, name));
                is_needed |= [function, variable].iter().any(|known| !known.is_null() && LLVMIsDeclaration(*known) != 0);
            }
            if !is_needed {
                LLVMDisposeModule(read);
                return Ok(false);
            }
            match LLVMLinkModules2(self.module, read) {
                0 => Ok(true),
                _ => Err(self.complaint(String::new())),
            }
        }
    }

    /// The names of functions and variables that it names and does not define.
    pub fn undefined(&self) -> Vec<String> {
        self.functions().into_iter().chain(self.globals()).filter(|value| value.is_declaration()).map(|value| value.name()).collect()
    }

    /// The names of functions and variables that others may name and that it defines.
    pub fn defined(&self) -> Vec<String> {
        let defined = self.functions().into_iter().chain(self.globals()).filter(|value| !value.is_declaration());
        // SAFETY: the module outlives the values.
        defined.filter(|value| PROVIDED.contains(&unsafe { LLVMGetLinkage(value.raw()) })).map(|value| value.name()).collect()
    }

    /// Drops what nobody names and may be dropped.
    pub fn drop_unused(&mut self) -> Result<(), String> {
        self.pass(c"globaldce")
    }

    fn complaint(&mut self, message: String) -> String {
        let kept = std::mem::take(&mut *self.complaints);
        if message.is_empty() { kept } else { message }
    }

    /// Puts local variables without an address into registers, and does nothing else.
    pub fn promote_registers(&mut self) -> Result<(), String> {
        self.optimise_all();
        moves::mark_copies(self);
        self.pass(c"function(sroa,mem2reg)")?;
        versions::show_variables(self.module);
        Ok(())
    }

    /// Functions that nothing was to optimise, as compilers mark all at -O0, get their registers like others.
    fn optimise_all(&self) {
        const NAME: &CStr = c"optnone";
        // SAFETY: the functions belong to the module; an attribute that is not there may be removed.
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(NAME.as_ptr(), NAME.count_bytes());
            for function in self.functions() {
                LLVMRemoveEnumAttributeAtIndex(function.raw(), llvm_sys::LLVMAttributeFunctionIndex, kind);
            }
        }
    }

    fn pass(&mut self, passes: &CStr) -> Result<(), String> {
        // SAFETY: the module is sound and the options are freed after their use.
        unsafe {
            let options = LLVMCreatePassBuilderOptions();
            let error = LLVMRunPasses(self.module, passes.as_ptr(), ptr::null_mut(), options);
            LLVMDisposePassBuilderOptions(options);
            match error.is_null() {
                true => Ok(()),
                false => Err(CStr::from_ptr(LLVMGetErrorMessage(error)).to_string_lossy().into_owned()),
            }
        }
    }

    /// The functions, defined or declared.
    pub fn functions(&self) -> Vec<Value<'_>> {
        // SAFETY: the module outlives the values.
        unsafe { self.chain(LLVMGetFirstFunction(self.module), |f| LLVMGetNextFunction(f)) }
    }

    /// The global variables, defined or declared.
    pub fn globals(&self) -> Vec<Value<'_>> {
        // SAFETY: the module outlives the values.
        unsafe { self.chain(LLVMGetFirstGlobal(self.module), |g| LLVMGetNextGlobal(g)) }
    }

    fn chain(
        &self,
        first: llvm_sys::prelude::LLVMValueRef,
        next: impl Fn(llvm_sys::prelude::LLVMValueRef) -> llvm_sys::prelude::LLVMValueRef,
    ) -> Vec<Value<'_>> {
        std::iter::successors(Value::maybe(first), |v| Value::maybe(next(v.raw()))).collect()
    }

    /// The function of a name.
    pub fn function(&self, name: &str) -> Option<Value<'_>> {
        let name = CString::new(name).ok()?;
        // SAFETY: the module outlives the value.
        Value::maybe(unsafe { LLVMGetNamedFunction(self.module, name.as_ptr()) })
    }

    fn layout(&self) -> LLVMTargetDataRef {
        // SAFETY: the layout belongs to the module.
        unsafe { LLVMGetModuleDataLayout(self.module) }
    }

    /// The size of a pointer in bytes, or `None` where the first byte of a number is its highest.
    pub fn pointer_size(&self) -> Option<u32> {
        // SAFETY: the layout belongs to the module.
        unsafe {
            let is_little = matches!(LLVMByteOrder(self.layout()), LLVMByteOrdering::LLVMLittleEndian);
            is_little.then(|| LLVMPointerSize(self.layout()))
        }
    }

    /// How many bytes lie between two neighbours of this type in an array.
    pub fn size_of(&self, of: Type<'_>) -> u64 {
        // SAFETY: only asked for types that have a size.
        if of.is_sized() { unsafe { LLVMABISizeOfType(self.layout(), of.raw()) } } else { 0 }
    }

    /// How many bytes a store of this type writes.
    pub fn store_size(&self, of: Type<'_>) -> u64 {
        // SAFETY: only asked for types that have a size.
        if of.is_sized() { unsafe { LLVMStoreSizeOfType(self.layout(), of.raw()) } } else { 0 }
    }

    /// The alignment of a type.
    pub fn align_of(&self, of: Type<'_>) -> u64 {
        // SAFETY: only asked for types that have a size.
        if of.is_sized() { unsafe { LLVMABIAlignmentOfType(self.layout(), of.raw()) as u64 } } else { 1 }
    }

    /// The offset of a member of a structure.
    pub fn offset_of(&self, structure: Type<'_>, member: u32) -> u64 {
        // SAFETY: the caller counted the members.
        unsafe { LLVMOffsetOfElement(self.layout(), structure.raw(), member) }
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        // SAFETY: nothing borrowed from the module outlives it.
        unsafe {
            LLVMDisposeModule(self.module);
            LLVMContextDispose(self.context);
        }
    }
}

/// LLVM cannot go on. By itself it would end the process as if the command had.
extern "C" fn fail(_: *const std::ffi::c_char) {
    std::process::abort()
}

extern "C" fn keep_complaint(diagnostic: LLVMDiagnosticInfoRef, kept: *mut c_void) {
    // SAFETY: `kept` is the text of the module, which outlives the context that calls this.
    unsafe {
        let text = given(LLVMGetDiagInfoDescription(diagnostic));
        if LLVMGetDiagInfoSeverity(diagnostic) as u32 == llvm_sys::LLVMDiagnosticSeverity::LLVMDSError as u32 {
            *kept.cast::<String>() = text;
        }
    }
}
