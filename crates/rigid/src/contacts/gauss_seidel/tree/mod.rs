mod block;
mod newton;
mod order;
