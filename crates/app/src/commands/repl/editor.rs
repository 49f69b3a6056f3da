//! A session on a terminal.

use super::answer;
use super::completion::{NameCompleter, Names};
use super::history::history;
use crate::console::terminal::Screen;
use crate::failure::Failure;
use crate::files::disk::Disk;
use gedanken_lang::session::{Class, Session, highlight, is_complete};
use gedanken_math::Cancel;
use reedline::{
    Color, ColumnarMenu, DefaultHinter, Emacs, Highlighter, KeyCode, KeyModifiers, MenuBuilder, Prompt,
    PromptEditMode, PromptHistorySearch, Reedline, ReedlineEvent, ReedlineMenu, Signal, StyledText,
    ValidationResult, Validator, default_emacs_keybindings,
};
use std::borrow::Cow;
use std::io;

const MENU: &str = "completion_menu";

/// Reads inputs until the user leaves. Mistakes end nothing: the exit code is 0. `cancel` is the token that
/// ends an evaluation.
pub(super) fn converse(session: &mut Session<Disk>, cancel: &Cancel) -> Result<(), Failure> {
    let screen = Screen::of_stdout(false);
    let names = Names::default();
    let mut editor = editor(screen, &names);
    screen.print(&format!("{}\n", screen.dim("`help` shows what there is, Ctrl-D leaves.")))?;
    loop {
        names.set(session.names().map(str::to_owned).collect());
        let text = match editor.read_line(&InputPrompt(session.next_input())) {
            Ok(Signal::Success(text)) => text,
            Ok(Signal::CtrlD) => return Ok(()),
            // Ctrl-C gives up the line.
            Ok(_) => continue,
            Err(error) => return Err(Failure::Output(io::Error::other(error))),
        };
        if text.trim().is_empty() {
            continue;
        }
        // A signal before this input was not meant for it.
        cancel.forget();
        let replies = session.submit(text.trim_end());
        if answer(session, &replies, true)?.quit {
            return Ok(());
        }
    }
}

fn editor(screen: Screen, names: &Names) -> Reedline {
    let mut keys = default_emacs_keybindings();
    let complete = vec![ReedlineEvent::Menu(MENU.to_owned()), ReedlineEvent::MenuNext];
    keys.add_binding(KeyModifiers::NONE, KeyCode::Tab, ReedlineEvent::UntilFound(complete));
    keys.add_binding(KeyModifiers::SHIFT, KeyCode::BackTab, ReedlineEvent::MenuPrevious);
    let menu = ColumnarMenu::default().with_name(MENU);
    let editor = Reedline::create()
        .with_completer(Box::new(NameCompleter(names.clone())))
        .with_menu(ReedlineMenu::EngineCompleter(Box::new(menu)))
        .with_quick_completions(true)
        .with_partial_completions(true)
        .with_edit_mode(Box::new(Emacs::new(keys)))
        .with_validator(Box::new(Whole))
        .with_hinter(Box::new(DefaultHinter::default().with_style(Color::DarkGray.normal())))
        .with_highlighter(Box::new(Colours { on: screen.colour }))
        .with_ansi_colors(screen.colour);
    match history() {
        Some(history) => editor.with_history(history),
        None => editor,
    }
}

/// An input ends when it is whole, or with an empty line.
struct Whole;

impl Validator for Whole {
    fn validate(&self, text: &str) -> ValidationResult {
        if text.ends_with('\n') || is_complete(text) {
            ValidationResult::Complete
        } else {
            ValidationResult::Incomplete
        }
    }
}

/// Colours by what the lexer sees.
struct Colours {
    on: bool,
}

impl Highlighter for Colours {
    fn highlight(&self, line: &str, _cursor: usize) -> StyledText {
        let plain = Color::Default.normal();
        let mut styled = StyledText::new();
        let mut done = 0;
        for (range, class) in if self.on { highlight(line) } else { Vec::new() } {
            // A part that overlaps another one, or lies between characters, is left as it is.
            let (Some(gap), Some(part)) = (line.get(done..range.start), line.get(range.clone())) else {
                continue;
            };
            let style = match class {
                Class::Native => Color::Cyan.normal(),
                Class::Constant => Color::Yellow.normal(),
                Class::Keyword => Color::Purple.normal(),
                Class::Text => Color::Green.normal(),
                Class::Comment => Color::DarkGray.normal(),
                Class::Foreign => Color::Red.normal(),
                Class::Name | Class::Operator | Class::Bracket => plain,
            };
            styled.push((plain, gap.to_owned()));
            styled.push((style, part.to_owned()));
            done = range.end;
        }
        styled.push((plain, line.get(done..).unwrap_or_default().to_owned()));
        styled
    }
}

/// The number that the input will have, as errors name it.
struct InputPrompt(usize);

impl Prompt for InputPrompt {
    fn render_prompt_left(&self) -> Cow<'_, str> {
        Cow::Owned(format!("[{}]", self.0))
    }

    fn render_prompt_right(&self) -> Cow<'_, str> {
        Cow::Borrowed("")
    }

    fn render_prompt_indicator(&self, _mode: PromptEditMode) -> Cow<'_, str> {
        Cow::Borrowed(" ")
    }

    fn render_prompt_multiline_indicator(&self) -> Cow<'_, str> {
        Cow::Borrowed("  … ")
    }

    fn render_prompt_history_search_indicator(&self, search: PromptHistorySearch) -> Cow<'_, str> {
        Cow::Owned(format!("(history: {}) ", search.term))
    }
}
