//! Debug information.
//!
//! The interface has getters for places only. Names, members and element types are operands of the nodes, by number;
//! the numbers that moved are in [`super::versions`], and an operand that is not there or of another kind is `None`.

use super::text::borrowed;
use super::{Block, Value, versions};
use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::{LLVMContextRef, LLVMMetadataRef, LLVMValueRef};
use std::marker::PhantomData;

/// A node of the debug information.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Metadata<'m> {
    raw: LLVMMetadataRef,
    module: PhantomData<&'m ()>,
}

/// What a node is, as far as we read them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    Subprogram,
    /// A block in a function, whose parent is another scope.
    Block,
    Basic,
    /// A pointer, member, typedef or qualifier, told apart by its tag.
    Derived,
    /// An array, structure, union, class or enumeration, told apart by its tag.
    Composite,
    Subroutine,
    Other,
}

impl<'m> Metadata<'m> {
    pub(super) fn maybe(raw: LLVMMetadataRef) -> Option<Metadata<'m>> {
        (!raw.is_null()).then_some(Metadata { raw, module: PhantomData })
    }

    /// What the node is.
    pub fn node(self) -> Node {
        // SAFETY: any node has a kind.
        match unsafe { LLVMGetMetadataKind(self.raw) } {
            LLVMMetadataKind::LLVMDISubprogramMetadataKind => Node::Subprogram,
            LLVMMetadataKind::LLVMDILexicalBlockMetadataKind | LLVMMetadataKind::LLVMDILexicalBlockFileMetadataKind => Node::Block,
            LLVMMetadataKind::LLVMDIBasicTypeMetadataKind => Node::Basic,
            LLVMMetadataKind::LLVMDIDerivedTypeMetadataKind => Node::Derived,
            LLVMMetadataKind::LLVMDICompositeTypeMetadataKind => Node::Composite,
            LLVMMetadataKind::LLVMDISubroutineTypeMetadataKind => Node::Subroutine,
            _ => Node::Other,
        }
    }

    /// The DWARF tag of a type.
    pub fn tag(self) -> u16 {
        // SAFETY: asked of types.
        unsafe { LLVMGetDINodeTag(self.raw) }
    }

    /// The size of a type in bits.
    pub fn size_in_bits(self) -> u64 {
        // SAFETY: asked of types.
        unsafe { LLVMDITypeGetSizeInBits(self.raw) }
    }

    /// The offset of a member in bits.
    pub fn offset_in_bits(self) -> u64 {
        // SAFETY: asked of types.
        unsafe { LLVMDITypeGetOffsetInBits(self.raw) }
    }

    /// Whether a member belongs to the class, not to its objects.
    pub fn is_static(self) -> bool {
        const STATIC_MEMBER: i32 = 1 << 12;
        // SAFETY: asked of types.
        unsafe { LLVMDITypeGetFlags(self.raw) & STATIC_MEMBER != 0 }
    }

    /// The name of a type.
    pub fn type_name(self) -> String {
        let mut length = 0;
        // SAFETY: asked of types; LLVM owns the name.
        unsafe { borrowed(LLVMDITypeGetName(self.raw, &mut length), length) }
    }

    /// The line of a location.
    pub fn line(self) -> u32 {
        // SAFETY: asked of locations.
        unsafe { LLVMDILocationGetLine(self.raw) }
    }

    /// The line where a function begins.
    pub fn subprogram_line(self) -> u32 {
        // SAFETY: asked of subprograms.
        unsafe { LLVMDISubprogramGetLine(self.raw) }
    }

    /// The column of a location.
    pub fn column(self) -> u32 {
        // SAFETY: asked of locations.
        unsafe { LLVMDILocationGetColumn(self.raw) }
    }

    /// The scope of a location.
    pub fn scope(self) -> Option<Metadata<'m>> {
        // SAFETY: asked of locations.
        Metadata::maybe(unsafe { LLVMDILocationGetScope(self.raw) })
    }

    /// Where the function of a location was inlined.
    pub fn inlined_at(self) -> Option<Metadata<'m>> {
        // SAFETY: asked of locations.
        Metadata::maybe(unsafe { LLVMDILocationGetInlinedAt(self.raw) })
    }

    /// The directory and the name of a scope's file.
    pub fn file(self) -> Option<(String, String)> {
        // SAFETY: asked of scopes; LLVM owns both names.
        unsafe {
            let file = LLVMDIScopeGetFile(self.raw);
            if file.is_null() {
                return None;
            }
            let (mut folder, mut name) = (0, 0);
            let folder_start = LLVMDIFileGetDirectory(file, &mut folder);
            let name_start = LLVMDIFileGetFilename(file, &mut name);
            Some((borrowed(folder_start, folder as usize), borrowed(name_start, name as usize)))
        }
    }
}

/// Operands by number, which need a value of the same module to know the context.
impl<'m> Metadata<'m> {
    fn as_value(self, near: Value<'m>) -> LLVMValueRef {
        // SAFETY: both live in the same context.
        unsafe { LLVMMetadataAsValue(context(near), self.raw) }
    }

    /// The operands of a node.
    fn operands(self, near: Value<'m>) -> Vec<LLVMValueRef> {
        // SAFETY: asked of nodes; the list has room for as many as LLVM counts.
        unsafe {
            if !self.is_node() {
                return Vec::new();
            }
            let node = self.as_value(near);
            let mut operands = vec![std::ptr::null_mut(); LLVMGetMDNodeNumOperands(node) as usize];
            LLVMGetMDNodeOperands(node, operands.as_mut_ptr());
            operands
        }
    }

    fn is_node(self) -> bool {
        // SAFETY: any metadata has a kind.
        let kind = unsafe { LLVMGetMetadataKind(self.raw) };
        !matches!(
            kind,
            LLVMMetadataKind::LLVMMDStringMetadataKind
                | LLVMMetadataKind::LLVMConstantAsMetadataMetadataKind
                | LLVMMetadataKind::LLVMLocalAsMetadataMetadataKind
                | LLVMMetadataKind::LLVMDIArgListMetadataKind
                | LLVMMetadataKind::LLVMDistinctMDOperandPlaceholderMetadataKind
        )
    }

    /// An operand that is a node.
    pub fn child(self, number: usize, near: Value<'m>) -> Option<Metadata<'m>> {
        node_of(*self.operands(near).get(number)?)
    }

    /// The operands that are nodes.
    pub fn children(self, near: Value<'m>) -> Vec<Metadata<'m>> {
        self.operands(near).into_iter().filter_map(node_of).collect()
    }

    /// An operand that is a string.
    pub fn string(self, number: usize, near: Value<'m>) -> Option<String> {
        let operand = *self.operands(near).get(number)?;
        let mut length = 0;
        // SAFETY: LLVM gives null for what is not a string.
        unsafe {
            if operand.is_null() || LLVMIsAMDString(operand).is_null() {
                return None;
            }
            Some(borrowed(LLVMGetMDString(operand, &mut length), length as usize))
        }
    }

    /// An operand that is a constant integer.
    pub fn number(self, number: usize, near: Value<'m>) -> Option<i64> {
        let operand = *self.operands(near).get(number)?;
        let value = Value::maybe(operand)?;
        value.is_int().then(|| value.signed())
    }

    /// The node as LLVM writes it.
    pub fn text(self, near: Value<'m>) -> String {
        Value::new(self.as_value(near)).text()
    }
}

fn context(near: Value<'_>) -> LLVMContextRef {
    // SAFETY: any value has a context.
    unsafe { LLVMGetTypeContext(LLVMTypeOf(near.raw())) }
}

/// The node behind an operand; `None` for nothing, strings and constants.
fn node_of<'m>(operand: LLVMValueRef) -> Option<Metadata<'m>> {
    if operand.is_null() {
        return None;
    }
    // SAFETY: an operand is metadata wrapped as a value, or the constant itself.
    let wrapped = unsafe { !LLVMIsAMDNode(operand).is_null() };
    if !wrapped {
        return None;
    }
    Metadata::maybe(unsafe { LLVMValueAsMetadata(operand) })
}

/// The variables that come into being in a block, each with the value that holds it or its address.
pub fn variables<'m>(block: Block<'m>) -> Vec<(Value<'m>, Metadata<'m>)> {
    let told = block.all_instructions().flat_map(|i| versions::variables_before(i.raw()));
    told.filter_map(|(value, variable)| Value::maybe(value).zip(Metadata::maybe(variable))).collect()
}

/// The variable of the source that a global is.
pub fn global_variable<'m>(global: Value<'m>) -> Option<Metadata<'m>> {
    let mut n = 0;
    // SAFETY: the entries are freed after they are read.
    unsafe {
        let entries = LLVMGlobalCopyAllMetadata(global.raw(), &mut n);
        let nodes: Vec<LLVMMetadataRef> = (0..n as u32).map(|i| LLVMValueMetadataEntriesGetMetadata(entries, i)).collect();
        LLVMDisposeValueMetadataEntries(entries);
        let is_variable =
            |m: &&LLVMMetadataRef| matches!(LLVMGetMetadataKind(**m), LLVMMetadataKind::LLVMDIGlobalVariableExpressionMetadataKind);
        let expression = nodes.iter().find(is_variable)?;
        Metadata::maybe(LLVMDIGlobalVariableExpressionGetVariable(*expression))
    }
}
