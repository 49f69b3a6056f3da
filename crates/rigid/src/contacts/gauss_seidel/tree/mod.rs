//! Newton's method for islands whose contacts form a tree: stacks, chains of bricks, one body on the ground.
//!
//! Sweeps carry a load from contact to contact, so a tower of N boxes takes N² of them, and its bending N⁴.
//! Here contacts are taken for springs that stop motion almost at once, and all bodies are solved together
//! (the method of multipliers). With v the velocities that the present impulses λ make, W the stiffness times
//! the sub-step, and π the projection onto the cones,
//!
//! F(x) = M x - Jᵀ (π(y) - λ) = 0, y = λ - W (J (v + x) + b).
//!
//! π(y) are the new impulses: λ_n = 0 where a point opens, and friction on the edge of the cone, against the
//! motion, where it slides. Newton's steps are (M + Jᵀ W J) d = -F, J having the rows that press and, if they
//! stick, those of friction; a point that slides is stiff across its way by the part of y that is left in the
//! cone. Steps are cut in half while they do not make the energy ½ xᵀ M x + λ·J x + |π(y)|²/2W smaller. What
//! is left of the motion is about a part of m/W of what there was, whatever the height of the tower, and four
//! points under a box are not too many.
//!
//! Where Newton's method starts decides whether it arrives. At x = 0 the stiffness makes any slow motion look
//! like a point that opens or slides. So the first step takes it that all points that have pressed, or come
//! nearer, press and stick: a box that falls on a tower at rest brings both to rest, as it does without
//! restitution, in one step.
//!
//! The matrix has a block of 6×6 per body and per pair that touches. Eliminated from the leaves of the tree
//! it fills in nothing: the work is linear in the number of bodies. It is factorised again only when points
//! open, close, slide or stick anew.

mod block;
mod newton;
mod order;

pub(super) use newton::ContactTree;
