//! Which loads and stores stand for a part of a copy.
//!
//! Where a local variable is put into registers, a copy from or to it becomes loads and stores, which look like those
//! of a number. So copies are marked before, with metadata that LLVM takes along (`llvm.access.group`, which means
//! nothing to the passes that we run).

use super::{Module, Value};
use llvm_sys::core::*;
use llvm_sys::prelude::{LLVMContextRef, LLVMValueRef};
use std::ptr::null_mut;

/// The intrinsics that copy.
const COPIES: [&str; 2] = ["llvm.memcpy", "llvm.memmove"];

const MARK: &str = "llvm.access.group";

/// Marks all copies of a module.
pub(super) fn mark_copies(module: &Module) {
    let is_copy = |f: &Value<'_>| f.intrinsic().is_some_and(|name| COPIES.contains(&&*name));
    let users = module.functions().into_iter().filter(is_copy).flat_map(Value::users);
    for call in users.filter(|user| user.is_instruction()) {
        // SAFETY: an instruction may have metadata, and the node lives as long as the module.
        unsafe {
            let context = LLVMGetTypeContext(LLVMTypeOf(call.raw()));
            let node = LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, null_mut(), 0));
            LLVMSetMetadata(call.raw(), kind(context), node);
        }
    }
}

/// Whether a load or store was a part of a copy.
pub(super) fn is_of_copy(access: LLVMValueRef) -> bool {
    // SAFETY: asked of instructions, which are in a context.
    unsafe { !LLVMGetMetadata(access, kind(LLVMGetTypeContext(LLVMTypeOf(access)))).is_null() }
}

fn kind(context: LLVMContextRef) -> u32 {
    // SAFETY: the text has as many bytes as is said.
    unsafe { LLVMGetMDKindIDInContext(context, MARK.as_ptr().cast(), MARK.len() as u32) }
}
