//! Appearance of laws, held against what one would write by hand.

use gedanken_lang::source::Sources;
use gedanken_lang::syntax::tree::{Definition, Expr, Item};
use gedanken_lang::syntax::{Dialect, parse};
use gedanken_lang::typeset::{latex, mathml, unicode};

fn expression(text: &str) -> Expr {
    let mut sources = Sources::new();
    let source = sources.add("text", text);
    let (file, diagnostics) = parse(&sources, source, Dialect::Expression);
    assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
    match file.items.into_iter().next() {
        Some(Item::Evaluate(expr)) => expr,
        _ => panic!("{text} is an expression"),
    }
}

fn definition(text: &str) -> Definition {
    let mut sources = Sources::new();
    let source = sources.add("text", text);
    let (file, diagnostics) = parse(&sources, source, Dialect::Library);
    assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
    file.into_definitions().pop().unwrap()
}

/// Text, LaTeX, Unicode.
fn looks(table: &[(&str, &str, &str)]) {
    for (text, in_latex, in_unicode) in table {
        let tree = expression(text);
        assert_eq!(latex::expression(&tree), *in_latex, "{text}");
        assert_eq!(unicode::expression(&tree), *in_unicode, "{text}");
    }
}

#[test]
fn names() {
    looks(&[
        ("theta", r"\theta", "θ"),
        ("theta1_dot", r"\dot{\theta}_1", "θ̇₁"),
        ("theta1_dot_dot", r"\ddot{\theta}_1", "θ̈₁"),
        ("x_dot", r"\dot{x}", "x\u{307}"),
        ("p_theta", r"p_{\theta}", "p_θ"),
        ("p_theta1", r"p_{\theta_1}", "p_θ₁"),
        ("p_theta1_dot", r"\dot{p}_{\theta_1}", "ṗ_θ₁"),
        ("lambda_rod", r"\lambda_{\mathrm{rod}}", "λ_rod"),
        ("v1_in", r"v_{1,\mathrm{in}}", "v₁_in"),
        ("mean_anomaly", r"\mathrm{mean\ anomaly}", "mean_anomaly"),
        ("mass_dot", r"\dot{\mathrm{mass}}", "mass′"),
        ("normalize(n)", r"\hat{n}", "n̂"),
        ("pi", r"\pi", "π"),
    ]);
}

#[test]
fn mechanics() {
    looks(&[
        (
            "m*l^2*theta_dot_dot + m*g*l*sine(theta)",
            r"m l^2 \ddot{\theta} + m g l \sin(\theta)",
            "m l² θ̈ + m g l sin(θ)",
        ),
        ("0.5 * m * v^2", r"0.5 m v^2", "0.5 m v²"),
        ("m*v^2/2", r"\frac{m v^2}{2}", "½ m v²"),
        ("1/2 * m * v^2", r"\frac{1}{2} m v^2", "½ m v²"),
        ("3*g/(2*l)", r"\frac{3 g}{2 l}", "3 g/(2 l)"),
        ("-k*x/m", r"-\frac{k x}{m}", "−k x/m"),
        ("sqrt(g/l)", r"\sqrt{\frac{g}{l}}", "√(g/l)"),
        ("sqrt(2)*x", r"\sqrt{2} x", "√2 x"),
        ("(x + y)^2*z", r"(x + y)^2 z", "(x + y)² z"),
        ("(a/b)^2", r"\left(\frac{a}{b}\right)^2", "(a/b)²"),
        (
            "theta1_dot^2*sine(theta1 - theta2)",
            r"\dot{\theta}_1^2 \sin(\theta_1 - \theta_2)",
            "θ̇₁² sin(θ₁ − θ₂)",
        ),
        ("sine(theta)^2*x", r"\sin^2(\theta) x", "sin²(θ) x"),
        ("x^(-3/2)", r"x^{-3/2}", "x^(−3/2)"),
        ("r^n", "r^n", "rⁿ"),
        ("2*mass*speed", r"2 \, \mathrm{mass} \, \mathrm{speed}", "2 · mass · speed"),
        ("6.67e-11*M", r"6.67 \times 10^{-11} M", "6.67×10⁻¹¹ M"),
        ("a/b*c", r"\frac{a}{b} c", "(a/b) c"),
        ("a/(b*c)", r"\frac{a}{b c}", "a/(b c)"),
        ("x*2", r"x \cdot 2", "x · 2"),
    ]);
}

#[test]
fn functions_and_tables() {
    looks(&[
        ("abs(x) + norm(v)", r"\lvert x\rvert + \lVert v\rVert", "|x| + ‖v‖"),
        ("sign(x) * exp(-t)", r"\operatorname{sgn}(x) \exp(-t)", "sgn(x) exp(−t)"),
        ("atan2(y, x)", r"\operatorname{atan2}(y, x)", "atan2(y, x)"),
        ("inverseSine(x)", r"\arcsin(x)", "arcsin(x)"),
        (
            "if x > 0 then 1 else -x",
            r"\begin{cases} 1 & \text{if }x > 0 \\ -x & \text{otherwise} \end{cases}",
            "{1 if x > 0; −x otherwise}",
        ),
        ("a <= b & !(c == d)", r"a \le b \land \lnot(c = d)", "a ≤ b ∧ ¬(c = d)"),
        ("[[1, 2], [3, 4]]", r"\begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix}", "[[1, 2], [3, 4]]"),
        ("[x, y]", "[x, y]", "[x, y]"),
        ("v # 3", "v_3", "v₃"),
        ("v # (i + 1)", "v_{i + 1}", "v[i + 1]"),
        ("m # 1 # 2", "m_{1, 2}", "m₁,₂"),
        ("matrixTranspose(m)^2", r"{m^{\mathrm{T}}}^2", "mᵀ²"),
        ("squareMatrixInverse(m)", "m^{-1}", "m⁻¹"),
        ("identityMatrix(3) # 1", "{I_3}_1", "I₃₁"),
    ]);
}

#[test]
fn definitions() {
    for (text, in_latex, in_unicode) in [
        (
            "theta_dot' = -g / l * sine(theta)",
            r"\ddot{\theta} = -\frac{g}{l} \sin(\theta)",
            "θ̈ = (−g/l) sin(θ)",
        ),
        (
            "mass' = -burn",
            r"\frac{\mathrm{d}\,\mathrm{mass}}{\mathrm{d}t} = -\mathrm{burn}",
            "d mass/dt = −burn",
        ),
        ("area(r) = pi * r^2", r"\mathrm{area}(r) = \pi r^2", "area(r) = π r²"),
        ("when = T < low", r"\mathrm{when} \iff T < \mathrm{low}", "when ⇔ T < low"),
    ] {
        let tree = definition(text);
        assert_eq!(latex::definition(&tree), in_latex, "{text}");
        assert_eq!(unicode::definition(&tree), in_unicode, "{text}");
    }
}

/// A rate in MathML: the letter with its dot, and the index below both.
#[test]
fn a_rate_in_mathml() {
    insta::assert_snapshot!(
        mathml::expression(&expression("p_theta1_dot_dot")),
        @r#"<math xmlns="http://www.w3.org/1998/Math/MathML"><msub data-name="p_theta1_dot_dot"><mover accent="true"><mi>p</mi><mo>¨</mo></mover><mrow><msub><mi>θ</mi><mn>1</mn></msub></mrow></msub></math>"#
    );
}
