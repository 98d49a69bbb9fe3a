//! The types of locations, registers and variables.

/// A type of C as far as litmus tests use them. Whether it is atomic is kept where it is pointed to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Int { bytes: u32, signed: bool, atomic: bool },
    Pointer(Box<Type>),
    Array(Box<Type>, u64),
}

impl Type {
    pub const INT: Type = Type::Int { bytes: 4, signed: true, atomic: false };
    pub const LONG: Type = Type::Int { bytes: 8, signed: true, atomic: false };

    pub fn pointer_to(self) -> Type {
        Type::Pointer(Box::new(self))
    }

    /// An unsigned or signed number of this many bytes, not atomic.
    pub fn int(bytes: u32, signed: bool) -> Type {
        Type::Int { bytes, signed, atomic: false }
    }

    /// The size in bytes.
    pub fn size(&self) -> u64 {
        match self {
            Type::Int { bytes, .. } => *bytes as u64,
            Type::Pointer(_) => 8,
            Type::Array(element, count) => element.size() * count,
        }
    }

    /// The size of an access to a scalar of this type.
    pub fn bytes(&self) -> u32 {
        match self {
            Type::Int { bytes, .. } => *bytes,
            Type::Pointer(_) => 8,
            Type::Array(element, _) => element.bytes(),
        }
    }

    pub fn bits(&self) -> u8 {
        self.bytes() as u8 * 8
    }

    pub fn is_signed(&self) -> bool {
        matches!(self, Type::Int { signed: true, .. })
    }

    pub fn is_atomic(&self) -> bool {
        matches!(self, Type::Int { atomic: true, .. })
    }

    /// The type of one element of an array, or the type itself.
    pub fn element(&self) -> &Type {
        match self {
            Type::Array(element, _) => element,
            scalar => scalar,
        }
    }

    /// The number type that words such as `volatile unsigned int` name.
    pub fn named(words: &[&str]) -> Option<Type> {
        let (mut named, mut sign, mut atomic) = (None, None, false);
        for &word in words {
            match word {
                "volatile" | "const" | "register" => {}
                "_Atomic" | "atomic" => atomic = true,
                "unsigned" => sign = Some(false),
                "signed" => sign = Some(true),
                // `long int`, `short int`, `long long`: the first word has the size.
                "int" | "long" if named.is_some() => {}
                _ => named = Some(number(word)?),
            }
        }
        let (bytes, signed, base_atomic) = match (named, sign) {
            (Some(named), _) => named,
            (None, Some(_)) => (4, true, false),
            (None, None) => return None,
        };
        Some(Type::Int { bytes, signed: sign.unwrap_or(signed), atomic: atomic || base_atomic })
    }

    /// Whether a word can be part of the name of a type.
    pub fn is_word(word: &str) -> bool {
        matches!(word, "volatile" | "const" | "register" | "_Atomic" | "atomic" | "unsigned" | "signed") || number(word).is_some()
    }
}

/// Bytes, signedness and whether it is atomic, of a type with one word.
fn number(word: &str) -> Option<(u32, bool, bool)> {
    if let Some(base) = word.strip_prefix("atomic_") {
        return match base {
            "bool" => Some((1, false, true)),
            "char" | "schar" => Some((1, true, true)),
            "uchar" => Some((1, false, true)),
            "short" => Some((2, true, true)),
            "ushort" => Some((2, false, true)),
            "uint" => Some((4, false, true)),
            "llong" => Some((8, true, true)),
            "ulong" | "ullong" => Some((8, false, true)),
            "int" | "long" | "int8_t" | "uint8_t" | "int16_t" | "uint16_t" | "int32_t" | "uint32_t" | "int64_t" | "uint64_t"
            | "intptr_t" | "uintptr_t" | "size_t" => number(base).map(|(bytes, signed, _)| (bytes, signed, true)),
            _ => None,
        };
    }
    let (bytes, signed) = match word {
        "char" | "int8_t" => (1, true),
        "bool" | "_Bool" | "uint8_t" => (1, false),
        "short" | "int16_t" => (2, true),
        "uint16_t" => (2, false),
        "int" | "int32_t" => (4, true),
        "uint32_t" | "u32" => (4, false),
        "long" | "int64_t" | "intptr_t" | "ptrdiff_t" => (8, true),
        "uint64_t" | "u64" | "uintptr_t" | "size_t" => (8, false),
        _ => return None,
    };
    Some((bytes, signed, false))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<(u32, bool, bool)>) {
        let words: Vec<&str> = text.split(' ').collect();
        let expected = expected.map(|(bytes, signed, atomic)| Type::Int { bytes, signed, atomic });
        assert_eq!(Type::named(&words), expected, "{text}");
    }

    #[test]
    fn words_name_types() {
        check("int", Some((4, true, false)));
        check("volatile unsigned int", Some((4, false, false)));
        check("unsigned long long int", Some((8, false, false)));
        check("short int", Some((2, true, false)));
        check("unsigned", Some((4, false, false)));
        check("_Atomic uint8_t", Some((1, false, true)));
        check("atomic_uint64_t", Some((8, false, true)));
        check("volatile", None);
        check("mutex_t", None);
    }
}
