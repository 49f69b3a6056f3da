//! Any recording: random quantities, values to the last bit, events and notices.

use gedanken_lang::types::Type;
use gedanken_recording::{
    Constant, Event, EventKind, Frame, Notice, Owner, Quantity, Recording, Schema, Sink,
};
use proptest::prelude::*;

/// Any real, often no value, often one that is written specially.
fn real() -> impl Strategy<Value = f64> {
    let special =
        [f64::NAN, 0.0, -0.0, 1.0, -1.0, 1e16, 1e15, 1e-5, 5e-324, f64::MAX, f64::MIN_POSITIVE, 0.1];
    prop_oneof![
        2 => any::<u64>().prop_map(f64::from_bits).prop_filter("finite", |it| it.is_finite()),
        1 => -10.0..10.0f64,
        2 => prop::sample::select(special.to_vec()),
    ]
}

fn ty() -> impl Strategy<Value = Type> {
    prop_oneof![
        Just(Type::Real),
        Just(Type::Bool),
        (0..4u32).prop_map(Type::vector),
        (1..3u32, 0..3u32).prop_map(|(rows, columns)| Type::matrix(rows, columns)),
    ]
}

/// Type of a quantity of a random recording.
#[derive(Clone, Debug)]
struct Plan {
    owner: usize,
    is_constant: bool,
    ty: Type,
    context: Option<usize>,
}

fn plan() -> impl Strategy<Value = Plan> {
    let context = prop_oneof![2 => Just(None), 1 => (0..2usize).prop_map(Some)];
    (0..5usize, prop::bool::weighted(0.2), ty(), context).prop_map(|(owner, is_constant, ty, context)| Plan {
        owner,
        is_constant,
        ty,
        context,
    })
}

/// Values one after the other, again and again.
struct Pool<'p> {
    reals: &'p [f64],
    next: usize,
}

impl Pool<'_> {
    fn scalar(&mut self, ty: &Type) -> f64 {
        self.next = (self.next + 7) % self.reals.len();
        let real = self.reals[self.next];
        if *ty == Type::Bool && !real.is_nan() { f64::from(real > 0.0) } else { real }
    }

    fn number(&mut self) -> f64 {
        let real = self.scalar(&Type::Real);
        if real.is_nan() { 0.25 } else { real }
    }

    fn row(&mut self, quantities: &[&Quantity]) -> Vec<f64> {
        let scalars = quantities.iter().flat_map(|it| std::iter::repeat_n(&it.ty, it.width()));
        scalars.map(|ty| self.scalar(ty)).collect()
    }
}

fn schema(plans: Vec<Plan>, pool: &mut Pool<'_>) -> Schema {
    let owners = [Owner::World, Owner::Object(0), Owner::Object(1), Owner::Object(2), Owner::Measure];
    let mut quantities: Vec<Quantity> = Vec::new();
    let mut constants = Vec::new();
    for (number, plan) in plans.into_iter().enumerate() {
        let Plan { ty, context, .. } = plan;
        let owner = owners[plan.owner];
        let name = format!("a{number}");
        if plan.is_constant {
            let scalars = (0..ty.scalars().unwrap()).map(|_| pool.number()).collect();
            constants.push(Constant { owner, name, ty, scalars });
        } else {
            quantities.push(Quantity { owner, name, ty, context, start: 0 });
        }
    }
    quantities.sort_by_key(|it| it.owner);
    let mut start = 0;
    for quantity in &mut quantities {
        quantity.start = start;
        start += quantity.width();
    }
    Schema {
        engine: "0.0.1".to_owned(),
        text: "any, \"text\"\n".to_owned(),
        path: String::new(),
        imports: vec![],
        simulation: "s".to_owned(),
        parameters: vec![],
        initial_time: pool.number(),
        duration: pool.number(),
        frame_rate: pool.number(),
        objects: ["a", "b", "c"].map(str::to_owned).to_vec(),
        contexts: ["one", "two"].map(str::to_owned).to_vec(),
        quantities,
        constants,
        contacts: false,
        derived: vec![("x".to_owned(), "a = \"b\"".to_owned())],
    }
}

fn event(schema: &Schema, index: u64, chosen: &(usize, Vec<usize>), pool: &mut Pool<'_>) -> Event {
    let (kind, objects) = chosen;
    let takes_part = |owner| match owner {
        Owner::Object(object) => objects.contains(&object),
        Owner::World | Owner::Measure => true,
    };
    let kept: Vec<&Quantity> = schema.quantities.iter().filter(|it| takes_part(it.owner)).collect();
    Event {
        index,
        time: index as f64 / 7.0,
        kind: EventKind::ALL[*kind],
        context: (index % 3).checked_sub(1).map(|it| it as usize),
        objects: objects.clone(),
        given: (0..index % 3).map(|it| (format!("g{it}"), vec![pool.number(); it as usize + 1])).collect(),
        before: pool.row(&kept),
        after: pool.row(&kept),
    }
}

/// Any recording of a few frames. Names are `a0`, `a1`, … of the world, the objects `a`, `b`, `c`, and of
/// measures; no two are the same.
pub(crate) fn recording() -> impl Strategy<Value = Recording> {
    let objects = prop::sample::subsequence(vec![0, 1, 2], 0..=3).prop_shuffle();
    let happening = prop_oneof![3 => Just(None), 2 => (0..3usize, objects).prop_map(Some)];
    (
        prop::collection::vec(plan(), 0..8),
        prop::collection::vec(real(), 1..60),
        prop::collection::vec(happening, 0..10),
    )
        .prop_map(|(plans, reals, happenings)| {
            let mut pool = Pool { reals: &reals, next: 0 };
            let mut recording = Recording::new(schema(plans, &mut pool));
            let schema = recording.schema.clone();
            let all: Vec<&Quantity> = schema.quantities.iter().collect();
            for happening in &happenings {
                if let Some(chosen) = happening {
                    let event = event(&schema, recording.events.len() as u64, chosen, &mut pool);
                    recording.event(&event).unwrap();
                    continue;
                }
                let index = recording.frames() as u64;
                let bytes = reals[0].to_be_bytes();
                let keyframe = (index % 2 == 1).then_some(&bytes[..index as usize % 9]);
                let row = pool.row(&all);
                let (time, hash) = (index as f64 / 3.0 - 1.0, pool.number().to_bits());
                recording.frame(Frame { index, time, row: &row, hash, contacts: &[], keyframe }).unwrap();
            }
            if happenings.len() % 2 == 1 {
                recording
                    .notice(&Notice { time: pool.number(), message: "so, \"it\" is".to_owned() })
                    .unwrap();
            }
            recording
        })
}
