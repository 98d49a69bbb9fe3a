//! Which memory models make sense for which machine's tests.

use raddle_check::MemoryModel;
use raddle_litmus::Arch;
use std::str::FromStr;

/// The models that are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Models {
    One(MemoryModel),
    /// All that make sense for a test.
    All,
}

impl FromStr for Models {
    type Err = String;

    fn from_str(text: &str) -> Result<Models, String> {
        match text.to_lowercase().as_str() {
            "all" => Ok(Models::All),
            _ => text.parse().map(Models::One).map_err(|why: String| format!("{why}, all")),
        }
    }
}

/// The models that say something about a machine: its own, and SC. What a barrier of PPC or AArch64 does to a store
/// buffer is not defined. Tests of C are asked of all models but POWER and AArch64.
fn of(arch: Arch) -> Vec<MemoryModel> {
    match arch {
        Arch::X86 | Arch::X86_64 => vec![MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso],
        Arch::C => {
            let all = MemoryModel::ALL.into_iter().map(|(model, _)| model);
            all.filter(|model| !matches!(model, MemoryModel::Power | MemoryModel::AArch64)).collect()
        }
        Arch::Ppc => vec![MemoryModel::Sc, MemoryModel::Power],
        Arch::AArch64 => vec![MemoryModel::Sc, MemoryModel::AArch64],
    }
}

/// The model of a test where none is asked for.
pub fn own(arch: Arch) -> MemoryModel {
    match arch {
        Arch::AArch64 => MemoryModel::AArch64,
        Arch::X86 | Arch::X86_64 | Arch::Ppc | Arch::C => MemoryModel::Sc,
    }
}

/// The only place where a model is refused for a test, with a sentence that says what to choose.
pub fn refusal(arch: Arch, model: MemoryModel) -> Option<String> {
    let models = of(arch);
    let names: Vec<String> = models.iter().map(MemoryModel::to_string).collect();
    let refused = !models.contains(&model);
    refused.then(|| format!("a test for {arch} says nothing about {model}: choose --model {}", names.join(" or ")))
}
