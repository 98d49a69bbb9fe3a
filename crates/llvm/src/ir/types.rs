//! Types.

use super::text::given;
use super::versions::type_kind;
use llvm_sys::LLVMTypeKind;
use llvm_sys::core::*;
use llvm_sys::prelude::LLVMTypeRef;
use std::marker::PhantomData;

/// A type of a module.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Type<'m> {
    raw: LLVMTypeRef,
    module: PhantomData<&'m ()>,
}

/// What a type is, as far as lowering cares.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind<'m> {
    Void,
    Int(u32),
    Float,
    Double,
    /// 80 bits, the `long double` of x86.
    Extended,
    Pointer,
    /// A structure with this many members.
    Struct(u32),
    Array(Type<'m>, u64),
    Vector(Type<'m>, u32),
    Function,
    /// Other formats of floating point, and what has no value in memory.
    Other,
}

impl<'m> Type<'m> {
    pub(super) fn new(raw: LLVMTypeRef) -> Type<'m> {
        Type { raw, module: PhantomData }
    }

    pub(super) fn raw(self) -> LLVMTypeRef {
        self.raw
    }

    /// What the type is.
    pub fn kind(self) -> Kind<'m> {
        // SAFETY: each question is asked for the kind of type that answers it.
        unsafe {
            match type_kind(self.raw) {
                Some(LLVMTypeKind::LLVMVoidTypeKind) => Kind::Void,
                Some(LLVMTypeKind::LLVMIntegerTypeKind) => Kind::Int(LLVMGetIntTypeWidth(self.raw)),
                Some(LLVMTypeKind::LLVMFloatTypeKind) => Kind::Float,
                Some(LLVMTypeKind::LLVMDoubleTypeKind) => Kind::Double,
                Some(LLVMTypeKind::LLVMX86_FP80TypeKind) => Kind::Extended,
                Some(LLVMTypeKind::LLVMPointerTypeKind) => Kind::Pointer,
                Some(LLVMTypeKind::LLVMStructTypeKind) => Kind::Struct(LLVMCountStructElementTypes(self.raw)),
                Some(LLVMTypeKind::LLVMArrayTypeKind) => {
                    Kind::Array(Type::new(LLVMGetElementType(self.raw)), LLVMGetArrayLength2(self.raw))
                }
                Some(LLVMTypeKind::LLVMVectorTypeKind) => {
                    Kind::Vector(Type::new(LLVMGetElementType(self.raw)), LLVMGetVectorSize(self.raw))
                }
                Some(LLVMTypeKind::LLVMFunctionTypeKind) => Kind::Function,
                _ => Kind::Other,
            }
        }
    }

    /// Whether values of the type have a size.
    pub fn is_sized(self) -> bool {
        // SAFETY: any type has an answer.
        unsafe { LLVMTypeIsSized(self.raw) != 0 }
    }

    /// Whether it is a structure without a name.
    pub fn is_literal(self) -> bool {
        // SAFETY: asked of structures only.
        matches!(self.kind(), Kind::Struct(_)) && unsafe { LLVMIsLiteralStruct(self.raw) != 0 }
    }

    /// A member's type, of a structure that has it.
    pub fn member(self, number: u32) -> Type<'m> {
        // SAFETY: the caller counted the members.
        Type::new(unsafe { LLVMStructGetTypeAtIndex(self.raw, number) })
    }

    /// The types of the parameters of a function type.
    pub fn parameters(self) -> Vec<Type<'m>> {
        // SAFETY: the list has room for as many as LLVM counts.
        unsafe {
            let mut raw = vec![std::ptr::null_mut(); LLVMCountParamTypes(self.raw) as usize];
            LLVMGetParamTypes(self.raw, raw.as_mut_ptr());
            raw.into_iter().map(Type::new).collect()
        }
    }

    /// The type of the result of a function type.
    pub fn result(self) -> Type<'m> {
        // SAFETY: asked of function types only.
        Type::new(unsafe { LLVMGetReturnType(self.raw) })
    }

    /// Whether a function type takes more arguments than its parameters.
    pub fn is_variadic(self) -> bool {
        // SAFETY: asked of function types only.
        unsafe { LLVMIsFunctionVarArg(self.raw) != 0 }
    }

    /// The type as LLVM writes it.
    pub fn text(self) -> String {
        // SAFETY: the message is given to us.
        unsafe { given(LLVMPrintTypeToString(self.raw)) }
    }
}
