//! What differs between the versions of LLVM that Raddle can be linked to: 19 and 22.
//!
//! `llvm-sys` declares the interface of LLVM 22. Its enumerations have all values of LLVM 19 but one (the kind of MMX
//! types); of the functions that we call, LLVM 19 lacks those that this file replaces. The build script sets
//! `cfg(llvm_22)` for LLVM 22.

use llvm_sys::LLVMTypeKind;
use llvm_sys::prelude::{LLVMContextRef, LLVMMemoryBufferRef, LLVMMetadataRef, LLVMModuleRef, LLVMTypeRef, LLVMValueRef};
use std::ffi::c_char;
use std::ptr::null_mut;

/// Operands of nodes of the debug information, by number. Since LLVM 22 the size and the offset of a type are operands
/// too.
pub const BASE_TYPE: usize = if cfg!(llvm_22) { 5 } else { 3 };
pub const ELEMENTS: usize = BASE_TYPE + 1;

/// The argument of `lifetime.start` and `lifetime.end` that is the variable. Before LLVM 22 its size came first.
pub const LIVING: u32 = if cfg!(llvm_22) { 0 } else { 1 };

#[cfg(llvm_22)]
pub use since_22::*;
#[cfg(not(llvm_22))]
pub use until_19::*;

#[cfg(llvm_22)]
mod since_22 {
    use super::*;
    use llvm_sys::LLVMDbgRecordKind;
    use llvm_sys::core::*;
    use llvm_sys::ir_reader::LLVMParseIRInContext2;

    unsafe extern "C" {
        // `llvm-sys` 221 declares the second parameter as a number, not as the pointer that it is.
        fn LLVMGetRawDataValues(constant: LLVMValueRef, size: *mut usize) -> *const c_char;
    }

    /// Reads LLVM code, and frees the buffer that it is in. The error is a message that the caller frees.
    ///
    /// # Safety
    ///
    /// The context and the buffer are sound, and the buffer is not used again.
    pub unsafe fn parse(context: LLVMContextRef, buffer: LLVMMemoryBufferRef) -> Result<LLVMModuleRef, *mut c_char> {
        let (mut module, mut message) = (null_mut(), null_mut());
        // SAFETY: the caller's.
        unsafe {
            let failed = LLVMParseIRInContext2(context, buffer, &mut module, &mut message) != 0;
            LLVMDisposeMemoryBuffer(buffer);
            if failed { Err(message) } else { Ok(module) }
        }
    }

    /// The kind of a type.
    pub fn type_kind(of: LLVMTypeRef) -> Option<LLVMTypeKind> {
        // SAFETY: any type has a kind.
        Some(unsafe { LLVMGetTypeKind(of) })
    }

    /// The value of a case of a `switch`, counted from one.
    pub fn case_value(switch: LLVMValueRef, number: u32) -> LLVMValueRef {
        // SAFETY: asked of `switch`; the caller counted the cases.
        unsafe { LLVMGetSwitchCaseValue(switch, number) }
    }

    /// The bytes of a constant array or vector of numbers.
    pub fn data_bytes(constant: LLVMValueRef) -> Vec<u8> {
        let mut size = 0;
        // SAFETY: asked of such constants; LLVM sets the number of bytes that it keeps for one.
        unsafe {
            let start = LLVMGetRawDataValues(constant, &mut size);
            std::slice::from_raw_parts(start.cast::<u8>(), size).to_vec()
        }
    }

    /// Makes the variables of the source readable: here they always are.
    pub fn show_variables(_: LLVMModuleRef) {}

    /// Whether it is no instruction of the program but tells of a variable: here such things are not instructions.
    pub fn is_about_variables(_: LLVMValueRef) -> bool {
        false
    }

    /// The variables that come into being before an instruction, each with its address.
    pub fn variables_before(instruction: LLVMValueRef) -> Vec<(LLVMValueRef, LLVMMetadataRef)> {
        let mut found = Vec::new();
        // SAFETY: the chain of records ends with null; only variable records are asked.
        unsafe {
            let mut record = LLVMGetFirstDbgRecord(instruction);
            while !record.is_null() {
                if matches!(LLVMDbgRecordGetKind(record), LLVMDbgRecordKind::LLVMDbgRecordDeclare) {
                    found.push((LLVMDbgVariableRecordGetValue(record, 0), LLVMDbgVariableRecordGetVariable(record)));
                }
                record = LLVMGetNextDbgRecord(record);
            }
        }
        found
    }
}

#[cfg(not(llvm_22))]
mod until_19 {
    use super::*;
    use llvm_sys::core::*;
    use llvm_sys::debuginfo::{LLVMGetMetadataKind, LLVMMetadataKind};
    #[allow(deprecated, reason = "the function that replaces it is not there yet")]
    use llvm_sys::ir_reader::LLVMParseIRInContext;
    use std::ffi::c_uint;

    /// The kind of MMX types, which LLVM has no more.
    const MMX: c_uint = 15;

    mod number {
        use super::*;

        unsafe extern "C" {
            // With its result as a number, because it may be one that the enumeration does not have.
            pub fn LLVMGetTypeKind(of: LLVMTypeRef) -> c_uint;
        }
    }

    /// Reads LLVM code, and frees the buffer that it is in. The error is a message that the caller frees.
    ///
    /// # Safety
    ///
    /// The context and the buffer are sound, and the buffer is not used again.
    pub unsafe fn parse(context: LLVMContextRef, buffer: LLVMMemoryBufferRef) -> Result<LLVMModuleRef, *mut c_char> {
        let (mut module, mut message) = (null_mut(), null_mut());
        // SAFETY: the caller's; the reader frees the buffer.
        #[allow(deprecated, reason = "the function that replaces it is not there yet")]
        let failed = unsafe { LLVMParseIRInContext(context, buffer, &mut module, &mut message) } != 0;
        if failed { Err(message) } else { Ok(module) }
    }

    /// The kind of a type; `None` for one that LLVM 22 does not have.
    pub fn type_kind(of: LLVMTypeRef) -> Option<LLVMTypeKind> {
        // SAFETY: any type has a kind, and the enumeration has all of them but one.
        unsafe { (number::LLVMGetTypeKind(of) != MMX).then(|| LLVMGetTypeKind(of)) }
    }

    /// The value of a case of a `switch`, counted from one.
    pub fn case_value(switch: LLVMValueRef, number: u32) -> LLVMValueRef {
        // SAFETY: the operands are the condition and the default, then the value and the block of each case.
        unsafe { LLVMGetOperand(switch, 2 * number) }
    }

    /// The bytes of a constant array or vector of numbers.
    pub fn data_bytes(constant: LLVMValueRef) -> Vec<u8> {
        // SAFETY: asked of such constants; a number can be cast to an integer of its size, of at most 64 bits.
        unsafe {
            let of = LLVMTypeOf(constant);
            let n = match type_kind(of) {
                Some(LLVMTypeKind::LLVMArrayTypeKind) => LLVMGetArrayLength2(of),
                _ => LLVMGetVectorSize(of) as u64,
            };
            let bytes = number_size(LLVMGetElementType(of));
            let int = LLVMIntTypeInContext(LLVMGetTypeContext(of), 8 * bytes as u32);
            let number = |i| LLVMConstIntGetZExtValue(LLVMConstBitCast(LLVMGetAggregateElement(constant, i as u32), int));
            (0..n).flat_map(|i| number(i).to_le_bytes().into_iter().take(bytes)).collect()
        }
    }

    /// The size of a number in an array or vector of numbers.
    fn number_size(of: LLVMTypeRef) -> usize {
        match type_kind(of) {
            Some(LLVMTypeKind::LLVMHalfTypeKind | LLVMTypeKind::LLVMBFloatTypeKind) => 2,
            Some(LLVMTypeKind::LLVMFloatTypeKind) => 4,
            Some(LLVMTypeKind::LLVMDoubleTypeKind) => 8,
            // SAFETY: the others are integers.
            _ => unsafe { LLVMGetIntTypeWidth(of) as usize / 8 },
        }
    }

    /// Makes the variables of the source readable: the interface has no words for records, but for the calls that they
    /// once were.
    pub fn show_variables(module: LLVMModuleRef) {
        // SAFETY: the module is sound.
        unsafe { LLVMSetIsNewDbgInfoFormat(module, 0) }
    }

    /// Whether it is no instruction of the program but tells of a variable.
    pub fn is_about_variables(instruction: LLVMValueRef) -> bool {
        // SAFETY: any value has an answer.
        unsafe { !LLVMIsADbgInfoIntrinsic(instruction).is_null() }
    }

    /// The variables that come into being with an instruction, each with its address.
    pub fn variables_before(instruction: LLVMValueRef) -> Vec<(LLVMValueRef, LLVMMetadataRef)> {
        // SAFETY: the first two operands of such a call are the address and the variable, wrapped as values. An address
        // counts as one operand of itself.
        unsafe {
            if LLVMIsADbgDeclareInst(instruction).is_null() {
                return Vec::new();
            }
            let (address, variable) = (LLVMGetOperand(instruction, 0), LLVMGetOperand(instruction, 1));
            let kind = LLVMGetMetadataKind(LLVMValueAsMetadata(address));
            let is_local = matches!(kind, LLVMMetadataKind::LLVMLocalAsMetadataMetadataKind);
            if !is_local || LLVMGetMDNodeNumOperands(address) != 1 {
                return Vec::new();
            }
            let mut local = null_mut();
            LLVMGetMDNodeOperands(address, &mut local);
            vec![(local, LLVMValueAsMetadata(variable))]
        }
    }
}
