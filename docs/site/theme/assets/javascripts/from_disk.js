// SPDX-License-Identifier: Apache-2.0
// Search in a site that is opened from a disk (file:). There browsers neither fetch the index nor start a worker: the index comes as a
// script (search_index.js, which build.sh makes of search_index.json), and the theme's worker runs in a frame of the page. A site that comes
// from a server does not need this, and nothing here happens.
if (location.protocol === "file:") {
  const index = new URL("../../search/search_index.js", document.currentScript.src);
  document.write(`<script src="${index}"><\/script>`);

  // The theme's worker looks for a class of this name to know that it runs in a frame.
  window.IFrameWorker = class extends EventTarget {
    constructor(script) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.appendChild(this.frame);
      const inside = this.frame.contentWindow;
      inside.document.open();
      this.ready = new Promise((loaded) => this.frame.addEventListener("load", loaded)); // of what follows; the empty frame has had its own
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      inside.document.write(`<!doctype html><script src="${new URL(script, location.href)}"><\/script>`);
      inside.document.close();
    }
    postMessage(data) {
      this.ready.then(() => this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data })));
    }
    terminate() {
      this.frame.remove();
    }
  };
  window.Worker = window.IFrameWorker;
}
