// Starts the page: finds the engine, makes the lab, shows it.
import { render } from "preact";
import { App } from "./app.tsx";
import { Lab } from "./lab/lab.ts";
import { followWindow } from "./lab/layout.ts";
import { beginning, shownBy } from "./panes/share/link.ts";
import { showNext } from "./shell/shown.ts";
import "./style/tokens.css";
import "./style/base.css";
import "./style/shell.css";
import "./style/narrow.css";
import "./style/presentation.css";
import { listen } from "./ui/keys.ts";
import { followTheme } from "./ui/theme.ts";

const url = new URL("wire", location.href);
url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
url.search = "";
url.hash = "";

followTheme();
followWindow();
listen();
showNext(await shownBy(location));
const lab = new Lab(url.href, await beginning(location));
// For tests, and for the curious at the console.
Object.assign(window, { lab });
const root = document.querySelector("#app");
if (root !== null) render(<App lab={lab} />, root);
