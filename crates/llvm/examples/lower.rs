//! Lowers files and tells what came of them: `cargo run -p raddle-llvm --example lower FILE... -- CFLAGS...`.

use raddle_llvm::{Sources, load};
use raddle_program::{Function, Instr, Program};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let files: Vec<String> = arguments.by_ref().take_while(|a| a != "--").collect();
    let sources = Sources { cflags: arguments.map(Into::into).collect(), ..Sources::new(files) };
    match load(&sources) {
        Ok(program) => describe(&program),
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(1);
        }
    }
}

fn describe(program: &Program) {
    let n_instructions: usize = program.functions.iter().map(|f| f.code.len()).sum();
    println!("{} functions, {n_instructions} instructions, {} globals", program.functions.len(), program.globals.len());
    if std::env::var_os("CODE").is_some() {
        program.functions.iter().for_each(print_code);
    }
    for function in &program.functions {
        for instr in &function.code {
            if let Instr::Unsupported { what } = instr {
                println!("unsupported in {}: {}", function.name, program.notes[what.index()].text);
            }
        }
    }
}

fn print_code(function: &Function) {
    println!("{}({}) -> {}", function.name, function.parameters, function.results);
    for (at, instr) in function.code.iter().enumerate() {
        if let Ok(block) = function.blocks.binary_search(&(at as u32)) {
            println!("b{block}:");
        }
        let mut text = String::new();
        instr.print(&mut text, function);
        println!("  {text}");
    }
}
