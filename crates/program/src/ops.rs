//! Rarer operations that share an instruction, each with its word in text.

macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident $word:literal,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $(#[doc = concat!("`", $word, "`")] $(#[$vdoc])* $variant,)* }
        impl $name {
            /// Every one with its word in text.
            pub const ALL: &[($name, &'static str)] = &[$(($name::$variant, $word),)*];
        }
    )*};
}

operations! {
    /// Conversions to and from floating point.
    Convert {
        /// Signed integer to floating point.
        SiToFp "sitofp",
        /// Unsigned integer to floating point.
        UiToFp "uitofp",
        /// Floating point to signed integer, towards zero.
        FpToSi "fptosi",
        /// Floating point to unsigned integer, towards zero.
        FpToUi "fptoui",
        /// Floating point to signed integer, at the limits where it does not fit.
        FpToSiSat "fptosi.sat",
        /// Floating point to unsigned integer, at the limits where it does not fit.
        FpToUiSat "fptoui.sat",
        /// One format of floating point to another.
        FpToFp "fptofp",
    }
    /// Comparisons of floating point: ordered ones are false, unordered ones true when an operand is not a number.
    FloatTest {
        False "false", Oeq "oeq", Ogt "ogt", Oge "oge", Olt "olt", Ole "ole", One "one", Ord "ord",
        Uno "uno", Ueq "ueq", Ugt "ugt", Uge "uge", Ult "ult", Ule "ule", Une "une", True "true",
    }
    /// Arithmetic on floating point of 80 bits.
    Extended {
        Add "add", Sub "sub", Mul "mul", Div "div", Rem "rem",
    }
    /// Arithmetic that tells whether the result fits.
    Overflow {
        SAdd "sadd", UAdd "uadd", SSub "ssub", USub "usub", SMul "smul", UMul "umul",
    }
    /// Operations on integers of 65 to 128 bits. Comparisons give one register, the others two.
    Wide {
        Add "add", Sub "sub", Mul "mul", UDiv "udiv", SDiv "sdiv", URem "urem", SRem "srem",
        Shl "shl", LShr "lshr", AShr "ashr", And "and", Or "or", Xor "xor",
        Eq "eq", Ne "ne", ULt "ult", ULe "ule", SLt "slt", SLe "sle",
    }
}

impl Wide {
    /// Whether the result is one register that is 0 or 1.
    pub fn is_comparison(self) -> bool {
        matches!(self, Wide::Eq | Wide::Ne | Wide::ULt | Wide::ULe | Wide::SLt | Wide::SLe)
    }
}
