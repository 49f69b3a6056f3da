//! From a `view` block to a view.

use super::model::{Camera, DRAWERS, OVERLAYS, SIDES, View, ViewCurve, Written};
use super::read_drawing;
use crate::environment::Environment;
use crate::read::fields::{BlockForm, Fields, no_such};
use crate::read::numbers::Numbers;
use crate::simulation::model::Simulation;
use gedanken_lang::check::similar;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::{Sources, Span};
use gedanken_lang::syntax::tree::{self, Binary, Block, Expr, ExprKind, Name};
use gedanken_lang::value::Value;

pub(crate) const FORM: BlockForm = BlockForm {
    what: "a view",
    keys: &[
        ("simulation", "the name of a simulation"),
        ("plots", "formulas in braces: `{norm(ball.v), ball.position # 3 against ball.position # 1}`"),
        ("arrows", "vectors in braces: `{ball.v}`"),
        ("draw", "drawings in braces: `{rod(pivot, bob), spring([0, 0, 2], ball)}`"),
        (
            "camera",
            "the eye and the point it looks at, `[[8, -8, 4], [0, 0, 1]]`, or a side: `front`, `back`, `left`, `right`, `top` or `bottom`",
        ),
        ("follow", "the name of an object"),
        ("trails", "names of objects in braces, or one of the words `all` and `none`"),
        ("moment", "the time that is shown first"),
        ("speed", "a real greater than 0: 1 is real time"),
        ("drawer", "`events`, `plots`, `energy`, `table`, `calculator`, `problems` or `closed`"),
        ("overlays", "what lies over the world, in braces: `{axes, scale}`"),
        ("try", "the attribute that a visitor is asked to change: `restitution`"),
        ("title", "a text in quotes"),
        ("group", "a text in quotes"),
        ("level", "1, 2 or 3"),
    ],
};

/// Reads views; each can name everything that its simulation has.
pub(crate) struct ViewReader<'r> {
    pub(crate) environment: &'r Environment<'r>,
    pub(crate) sources: &'r Sources,
    /// The simulation that is shown.
    simulation: &'r Simulation,
}

/// Message for something that cannot be shown.
pub(super) fn refused(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::E790, span, message).label("cannot be shown")
}

/// Reads all views, at most one for each simulation.
pub(crate) fn read_all(
    blocks: &[&Block],
    environment: &Environment<'_>,
    sources: &Sources,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<View> {
    let mut views: Vec<View> = Vec::new();
    for block in blocks {
        let fields = Fields::read(block, &FORM, diagnostics);
        let Some(index) = simulation(&fields, environment, diagnostics) else { continue };
        let simulation = &environment.experiment.simulations[index];
        let reader = ViewReader { environment, sources, simulation };
        let view = reader.view(&fields, index, diagnostics);
        match views.iter().find(|it| it.simulation == index) {
            None => views.push(view),
            Some(first) => diagnostics.push(
                Diagnostic::new(
                    Code::E703,
                    view.span,
                    format!("there are two views of the simulation `{}`", simulation.name),
                )
                .label("again here")
                .also(first.span, "first here")
                .help("put everything into one of the two, or tie this one to another: `simulation = NAME`"),
            ),
        }
    }
    views
}

/// The simulation that is shown; the first one, if the view names none.
fn simulation(
    fields: &Fields<'_>,
    environment: &Environment<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<usize> {
    let simulations = &environment.experiment.simulations;
    if !fields.has("simulation") {
        return (!simulations.is_empty()).then_some(0);
    }
    let tied = fields.words("simulation", diagnostics)?;
    let found = simulations.iter().position(|it| it.name == tied.text);
    if found.is_none() {
        let names = simulations.iter().map(|it| it.name.as_str());
        diagnostics.push(no_such(tied, "simulation", names, "write the name of a simulation of this file"));
    }
    found
}

impl ViewReader<'_> {
    fn view(&self, fields: &Fields<'_>, simulation: usize, found: &mut Vec<Diagnostic>) -> View {
        let numbers = Numbers { fields, evaluator: self.environment.evaluator };
        let expressions = |key: &str, found: &mut Vec<Diagnostic>| self.expressions(fields, key, found);
        let arrows = expressions("arrows", found).iter().filter_map(|it| self.written(it)).collect();
        let items = expressions("draw", found);
        View {
            simulation,
            plots: self.plots(fields, found),
            arrows,
            draw: items.iter().filter_map(|it| read_drawing::read(self, it, found)).collect(),
            camera: self.camera(fields, &numbers, found),
            follow: self.follow(fields, found),
            moment: self.moment(fields, &numbers, found),
            speed: numbers.within("speed", 0.0, 1e6, found),
            drawer: drawer(fields, found),
            overlays: overlays(fields, found),
            trails: self.trails(fields, found),
            tried: self.tried(fields, found),
            title: fields.text("title", found).map(|it| it.text.clone()),
            group: fields.text("group", found).map(|it| it.text.clone()),
            level: level(&numbers, found),
            span: fields.block.keyword.span,
        }
    }

    /// The text of an expression; `None` if it was a mistake that has been reported.
    pub(super) fn written(&self, expression: &Expr) -> Option<Written> {
        let span = expression.span;
        let text = self.sources.text(span.source).get(span.range())?.to_owned();
        (!matches!(expression.kind, ExprKind::Missing)).then_some(Written { text, span })
    }

    /// The value of an expression that never changes; `None` if it names something of the recording.
    pub(super) fn constant(&self, expression: &Expr) -> Option<Value> {
        self.environment.evaluator.value(expression).ok()
    }

    /// Returns `true` if a name means an object.
    pub(super) fn names_object(&self, name: &str) -> bool {
        self.environment.names.objects.contains_key(name)
            && self.environment.experiment.world_attribute(name).is_none()
    }

    /// Returns `true` if an object takes part in the simulation; what is wrong is reported.
    pub(super) fn takes_part(&self, name: &str, span: Span, found: &mut Vec<Diagnostic>) -> bool {
        let Self { environment, simulation, .. } = self;
        if environment.experiment.object_of(simulation, name).is_some() {
            return true;
        }
        let known = &environment.names.objects;
        // What is wrong with the object itself has been reported.
        if known.get(name).is_some_and(Option::is_none) {
            return false;
        }
        let message = match known.contains_key(name) {
            true => format!("`{name}` takes no part in the simulation `{}`", simulation.name),
            false => format!("there is no object called `{name}`"),
        };
        let diagnostic = Diagnostic::new(Code::E721, span, message).label("not an object of the simulation");
        let names = simulation.objects.iter().map(|&it| environment.experiment.objects[it].name.as_str());
        found.push(match similar(name, names) {
            Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")).edit(span, meant),
            None => diagnostic.help("name an object that takes part"),
        });
        false
    }

    fn expressions(&self, fields: &Fields<'_>, key: &str, found: &mut Vec<Diagnostic>) -> Vec<Expr> {
        match fields.value(key) {
            Some((_, tree::Value::Expressions(list))) => list.clone(),
            Some((_, tree::Value::Expression(one))) => vec![one.clone()],
            Some((entry, _)) => {
                found.push(
                    Diagnostic::new(Code::E424, entry.span, format!("`{key}` cannot be set to this"))
                        .help(format!("`{key}` is set to a list in braces: `{key} = {{ … }}`")),
                );
                Vec::new()
            }
            None => Vec::new(),
        }
    }

    fn plots(&self, fields: &Fields<'_>, found: &mut Vec<Diagnostic>) -> Vec<ViewCurve> {
        let curve = |it: &tree::Curve| {
            let against = match &it.against {
                Some(against) => Some(self.written(against)?),
                None => None,
            };
            Some(ViewCurve { value: self.written(&it.value)?, against })
        };
        match fields.value("plots") {
            Some((_, tree::Value::Curves(list))) => list.iter().filter_map(curve).collect(),
            _ => {
                let one = self.expressions(fields, "plots", found);
                one.iter()
                    .filter_map(|it| Some(ViewCurve { value: self.written(it)?, against: None }))
                    .collect()
            }
        }
    }

    fn camera(
        &self,
        fields: &Fields<'_>,
        numbers: &Numbers<'_>,
        found: &mut Vec<Diagnostic>,
    ) -> Option<Camera> {
        // A word may be read as an expression that names it.
        let side = match fields.value("camera") {
            Some((_, tree::Value::Words(side))) => Some(side.clone()),
            Some((_, tree::Value::Expression(Expr { kind: ExprKind::Name(text), span }))) => {
                Some(Name { text: text.clone(), span: *span })
            }
            _ => None,
        };
        if let Some(side) = side {
            let known = SIDES.into_iter().find(|it| *it == side.text);
            if known.is_none() {
                let help = "write a side, such as `front`, or `[[8, -8, 4], [0, 0, 1]]`";
                found.push(no_such(&side, "side", SIDES, help));
            }
            return known.map(Camera::Side);
        }
        let (value, span) = numbers.value("camera", found)?;
        let places: Option<[[f64; 3]; 2]> = match &value {
            Value::Matrix(it) if (it.rows, it.columns) == (2, 3) => {
                Some([0, 3].map(|row| [0, 1, 2].map(|column| it.elements[row + column])))
            }
            _ => None,
        };
        match places {
            Some([eye, target]) if eye != target => Some(Camera::At([eye, target])),
            _ => {
                found.push(
                    refused(span, format!("the camera cannot stand at {value}"))
                        .help("write the eye and the point that it looks at: `[[8, -8, 4], [0, 0, 1]]`"),
                );
                None
            }
        }
    }

    fn follow(&self, fields: &Fields<'_>, found: &mut Vec<Diagnostic>) -> Option<String> {
        let name = fields.words("follow", found)?;
        self.takes_part(&name.text, name.span, found).then(|| name.text.clone())
    }

    fn trails(&self, fields: &Fields<'_>, found: &mut Vec<Diagnostic>) -> Option<Vec<String>> {
        let names = fields.list("trails", found)?;
        match names.as_slice() {
            [word] if word.text == "none" => Some(Vec::new()),
            [word] if word.text == "all" => {
                let Self { environment, simulation, .. } = self;
                let name = |index: &usize| environment.experiment.objects[*index].name.clone();
                Some(simulation.objects.iter().map(name).collect())
            }
            names => {
                let shown = names.iter().filter(|it| self.takes_part(&it.text, it.span, found));
                Some(shown.map(|it| it.text.clone()).collect())
            }
        }
    }

    fn moment(&self, fields: &Fields<'_>, numbers: &Numbers<'_>, found: &mut Vec<Diagnostic>) -> Option<f64> {
        let moment = numbers.real("moment", found)?;
        let (start, end) =
            (self.simulation.initial_time, self.simulation.initial_time + self.simulation.duration);
        if (start..=end).contains(&moment) {
            return Some(moment);
        }
        let message = format!(
            "`{}` is over t = {} to {}, and never reaches t = {}",
            self.simulation.name,
            Value::Real(start),
            Value::Real(end),
            Value::Real(moment)
        );
        found.push(refused(fields.span_of("moment"), message).help("choose a time of the simulation"));
        None
    }

    /// The attribute that a visitor is asked to change, as sliders are labelled: `g`, `ball.v`, `g#3`.
    fn tried(&self, fields: &Fields<'_>, found: &mut Vec<Diagnostic>) -> Option<String> {
        let (entry, value) = fields.value("try")?;
        let label = match value {
            tree::Value::Words(word) => self.tried_name(None, word),
            tree::Value::Expression(expression) => self.tried_expression(expression),
            _ => None,
        };
        if label.is_none() {
            let experiment = self.environment.experiment;
            let message = "there is no such attribute to change";
            let diagnostic = refused(entry.span, message);
            let names = experiment.world.iter().map(|it| it.name.as_str());
            let written = match value {
                tree::Value::Words(word) => word.text.as_str(),
                _ => "",
            };
            found.push(match similar(written, names) {
                Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")),
                None => diagnostic.help("name an attribute of the world, `g`, or of an object, `ball.v`"),
            });
        }
        label
    }

    fn tried_expression(&self, expression: &Expr) -> Option<String> {
        let name = |it: &Expr| match &it.kind {
            ExprKind::Name(text) => Some(Name { text: text.clone(), span: it.span }),
            _ => None,
        };
        match &expression.kind {
            ExprKind::Name(_) => self.tried_name(None, &name(expression)?),
            ExprKind::Binary { operator: Binary::Dot, left, right, .. } => {
                self.tried_name(Some(&name(left)?), &name(right)?)
            }
            ExprKind::Binary { operator: Binary::Element, left, right, .. } => {
                let ExprKind::Real(index) = right.kind else { return None };
                Some(format!("{}#{}", self.tried_expression(left)?, Value::Real(index)))
            }
            ExprKind::Group(inner) => self.tried_expression(inner),
            _ => None,
        }
    }

    fn tried_name(&self, owner: Option<&Name>, name: &Name) -> Option<String> {
        let experiment = self.environment.experiment;
        match owner {
            None => experiment.world_attribute(&name.text).map(|it| it.name.clone()),
            Some(owner) => {
                let object = &experiment.objects[experiment.object(&owner.text)?];
                object.attribute(&name.text).map(|it| format!("{}.{}", owner.text, it.name))
            }
        }
    }
}

fn drawer(fields: &Fields<'_>, found: &mut Vec<Diagnostic>) -> Option<&'static str> {
    let word = fields.words("drawer", found)?;
    let names = DRAWERS.map(|row| row.0);
    let known = names.into_iter().find(|it| *it == word.text);
    if known.is_none() {
        found.push(no_such(word, "tab", names, &format!("the tabs are {}", listed(&names))));
    }
    known
}

fn overlays(fields: &Fields<'_>, found: &mut Vec<Diagnostic>) -> Option<Vec<&'static str>> {
    let written = fields.list("overlays", found)?;
    let names = OVERLAYS.map(|row| row.0);
    let mut overlays = Vec::new();
    for word in &written {
        match names.into_iter().find(|it| *it == word.text) {
            Some(known) => overlays.push(known),
            None => {
                found.push(no_such(word, "overlay", names, &format!("the overlays are {}", listed(&names))))
            }
        }
    }
    Some(overlays)
}

fn listed(names: &[&str]) -> String {
    names.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ")
}

fn level(numbers: &Numbers<'_>, found: &mut Vec<Diagnostic>) -> Option<u32> {
    let level = numbers.count("level", found)?;
    if level > 3 {
        let message = format!("there is no level {level}");
        let help = "1 is to begin with, 2 is for school, 3 for university";
        found.push(refused(numbers.fields.span_of("level"), message).help(help));
        return None;
    }
    Some(level)
}
