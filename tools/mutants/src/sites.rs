//! Where a source file can be changed, and how: the mutation sites.
//!
//! A site is a range of the text with what goes before and after it; `#` stands for the number of the mutant. Both
//! variants are then in the program: `(if mutants::on(#) { a <= b } else { a < b })`. Left out are tests, constants,
//! patterns and what macros make; assertions are macros.

use proc_macro2::Span;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Arm, BinOp, Block, Expr, Pat, ReturnType, Stmt, Type, UnOp};

#[derive(Clone)]
pub struct Site {
    pub file: String,
    /// The function that it is in, with the type that has it.
    pub function: String,
    /// What is changed into what, on one line.
    pub change: String,
    pub line: usize,
    pub range: Range<usize>,
    pub before: String,
    pub after: &'static str,
}

/// The sites of a file, in the order of the text.
pub fn sites(file: &str, text: &str) -> Vec<Site> {
    let parsed = syn::parse_file(text).unwrap_or_else(|why| panic!("{file}: {why}"));
    let mut finder = Finder { file, text, scope: Vec::new(), sites: Vec::new() };
    finder.visit_file(&parsed);
    finder.sites
}

struct Finder<'t> {
    file: &'t str,
    text: &'t str,
    /// The type and the functions around what is visited.
    scope: Vec<String>,
    sites: Vec<Site>,
}

/// An operator and the one that takes its place.
const OPERATORS: &[(&str, &str)] = &[
    ("<", "<="), ("<=", "<"), (">", ">="), (">=", ">"), ("==", "!="), ("!=", "=="), ("&&", "||"), ("||", "&&"), ("+", "-"),
    ("-", "+"), ("*", "+"), ("/", "*"), ("%", "/"), ("&", "|"), ("|", "&"), ("^", "|"), ("<<", ">>"), (">>", "<<"), ("+=", "-="),
    ("-=", "+="), ("*=", "+="), ("|=", "&="), ("&=", "|="), ("^=", "|="), ("<<=", ">>="), (">>=", "<<="),
];

/// A method and the one that takes its place.
const METHODS: &[(&str, &str)] = &[
    ("any", "all"), ("all", "any"), ("min", "max"), ("max", "min"), ("is_some", "is_none"), ("is_none", "is_some"),
    ("is_some_and", "is_none_or"), ("is_none_or", "is_some_and"), ("first", "last"), ("last", "first"),
    ("saturating_sub", "saturating_add"),
];

fn other(table: &[(&str, &'static str)], of: &str) -> Option<&'static str> {
    table.iter().find(|(name, _)| *name == of).map(|(_, other)| *other)
}

impl Finder<'_> {
    fn source(&self, of: impl Spanned) -> &str {
        &self.text[of.span().byte_range()]
    }

    fn add(&mut self, span: Span, range: Range<usize>, change: String, before: String, after: &'static str) {
        let change = change.split_whitespace().collect::<Vec<_>>().join(" ");
        let (file, function) = (self.file.to_string(), self.scope.join("::"));
        self.sites.push(Site { file, function, change, line: span.start().line, range, before, after });
    }

    /// Another expression in the place of this one.
    fn replace(&mut self, expression: &Expr, by: &str) {
        let span = expression.span();
        let change = format!("{} -> {by}", self.source(expression));
        self.add(span, span.byte_range(), change, format!("(if mutants::on(#) {{ {by} }} else {{ "), " })");
    }

    /// A statement that is left out.
    fn leave_out(&mut self, statement: &Stmt) {
        let span = statement.span();
        let change = format!("leave out {}", self.source(statement));
        self.add(span, span.byte_range(), change, "if !mutants::on(#) { ".to_string(), " }");
    }

    /// What decides whether something is done: each part that is not a `let` is taken for true and for false.
    fn decide(&mut self, condition: &Expr, values: &[&str]) {
        match condition {
            Expr::Binary(both) if has_let(condition) => {
                self.decide(&both.left, values);
                self.decide(&both.right, values);
            }
            Expr::Let(_) => {}
            _ => values.iter().for_each(|value| self.replace(condition, value)),
        }
    }

    /// A body that only returns a value.
    fn empty(&mut self, output: &ReturnType, block: &Block) {
        let at = block.brace_token.span.open().byte_range().end;
        for value in values(output) {
            let change = format!("the body -> {}", if value.is_empty() { "()" } else { value });
            self.add(block.span(), at..at, change, format!(" if mutants::on(#) {{ return {value}; }} "), "");
        }
    }

    fn binary(&mut self, binary: &syn::ExprBinary, whole: &Expr) {
        let operator = self.source(binary.op).to_string();
        let (left, right) = (self.source(&binary.left).to_string(), self.source(&binary.right).to_string());
        if let Some(other) = other(OPERATORS, &operator) {
            self.replace(whole, &format!("({left}) {other} ({right})"));
        }
        if matches!(binary.op, BinOp::And(_) | BinOp::Or(_)) {
            self.replace(whole, &left);
            self.replace(whole, &right);
        }
    }

    fn expression(&mut self, expression: &Expr) {
        match expression {
            Expr::Binary(binary) if !has_let(expression) => self.binary(binary, expression),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) => {
                let inner = self.source(&unary.expr).to_string();
                self.replace(expression, &inner);
            }
            Expr::If(conditional) => self.decide(&conditional.cond, &["true", "false"]),
            Expr::While(repeated) => self.decide(&repeated.cond, &["false"]),
            Expr::Match(cases) => self.cases(&cases.arms),
            Expr::Lit(literal) if matches!(literal.lit, syn::Lit::Int(_)) => {
                let by = format!("{} + 1", self.source(literal));
                self.replace(expression, &by);
            }
            Expr::MethodCall(call) => {
                if let Some(other) = other(METHODS, &call.method.to_string()) {
                    let whole = expression.span().byte_range();
                    let name = call.method.span().byte_range();
                    let by = format!("{}{other}{}", &self.text[whole.start..name.start], &self.text[name.end..whole.end]);
                    self.replace(expression, &by);
                }
            }
            Expr::Call(call) if self.source(&call.func) == "Some" => self.replace(expression, "None"),
            Expr::Macro(call) if call.mac.path.is_ident("matches") => {
                let by = format!("!{}", self.source(expression));
                self.replace(expression, &by);
            }
            _ => {}
        }
    }

    /// Cases that are never chosen, where there is one for the rest.
    fn cases(&mut self, arms: &[Arm]) {
        let Some((last, others)) = arms.split_last() else { return };
        let is_rest = matches!(last.pat, Pat::Wild(_) | Pat::Ident(_));
        for arm in others.iter().filter(|arm| is_rest && !matches!(arm.pat, Pat::Guard(_))) {
            let at = arm.pat.span().byte_range().end;
            let change = format!("leave out the case {}", self.source(&arm.pat));
            self.add(arm.pat.span(), at..at, change, " if !mutants::on(#)".to_string(), "");
        }
    }

    fn inside(&mut self, name: String, visit: impl FnOnce(&mut Self)) {
        self.scope.push(name);
        visit(self);
        self.scope.pop();
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if !module.attrs.iter().any(|attribute| attribute.path().is_ident("cfg")) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let name = self.source(&item.self_ty).split('<').next().unwrap_or_default().to_string();
        self.inside(name, |finder| visit::visit_item_impl(finder, item));
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.inside(item.ident.to_string(), |finder| visit::visit_item_trait(finder, item));
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if item.sig.constness.is_some() {
            return;
        }
        self.inside(item.sig.ident.to_string(), |finder| {
            finder.empty(&item.sig.output, &item.block);
            finder.visit_block(&item.block);
        });
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if item.sig.constness.is_some() {
            return;
        }
        self.inside(item.sig.ident.to_string(), |finder| {
            finder.empty(&item.sig.output, &item.block);
            finder.visit_block(&item.block);
        });
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        let Some(block) = &item.default else { return };
        self.inside(item.sig.ident.to_string(), |finder| {
            finder.empty(&item.sig.output, block);
            finder.visit_block(block);
        });
    }

    fn visit_block(&mut self, block: &'ast Block) {
        let last = block.stmts.len().saturating_sub(1);
        for (at, statement) in block.stmts.iter().enumerate() {
            match statement {
                Stmt::Expr(Expr::Macro(_), _) => {}
                Stmt::Expr(_, Some(_)) => self.leave_out(statement),
                Stmt::Expr(_, None) if at != last => self.leave_out(statement),
                _ => {}
            }
        }
        visit::visit_block(self, block);
    }

    fn visit_expr(&mut self, expression: &'ast Expr) {
        self.expression(expression);
        visit::visit_expr(self, expression);
    }

    fn visit_pat(&mut self, pattern: &'ast Pat) {
        if let Pat::Guard(guarded) = pattern {
            self.decide(&guarded.guard, &["true", "false"]);
            self.visit_expr(&guarded.guard);
        }
    }

    fn visit_expr_repeat(&mut self, repeat: &'ast syn::ExprRepeat) {
        self.visit_expr(&repeat.expr);
    }

    fn visit_type(&mut self, _: &'ast Type) {}
    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
}

/// Whether a condition binds something: then its parts cannot stand in another expression.
fn has_let(condition: &Expr) -> bool {
    match condition {
        Expr::Let(_) => true,
        Expr::Binary(both) => has_let(&both.left) || has_let(&both.right),
        _ => false,
    }
}

/// What a function with such a result might return instead.
fn values(output: &ReturnType) -> &'static [&'static str] {
    let ReturnType::Type(_, result) = output else { return &[""] };
    let Type::Path(path) = &**result else {
        return if matches!(**result, Type::Tuple(_)) { &["Default::default()"] } else { &[] };
    };
    let name = path.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
    match name.as_str() {
        "bool" => &["true", "false"],
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i32" | "i64" | "i128" => &["0", "1"],
        "Option" => &["None"],
        "ControlFlow" => &["std::ops::ControlFlow::Continue(())"],
        "Result" => &["Ok(Default::default())"],
        _ => &["Default::default()"],
    }
}
