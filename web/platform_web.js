// The browser's half of web/platform_web.cpp, as an Emscripten library: canvas, pointer, keyboard, input methods,
// clipboard, glyphs. It touches the canvas, the hidden text field beside it and nothing else of the page; what
// concerns the page (sheet, twin, fragment, notices) goes to the object `Module.host` that the loader passes in.
//
// Names that begin with `xkw_` are called from C++; `_xkw_on_...` and `_xkw_frame` are exported by C++.
addToLibrary({
  $XKW__deps: ['$GL', '$UTF8ToString', '$stringToNewUTF8', '$stringToUTF8OnStack', '$stackSave', '$stackRestore'],
  $XKW: {
    canvas: null, // <canvas tabindex=0>, sized by CSS
    field: null, // the hidden <input> that receives text
    gl: 0,
    raf: 0,
    timer: 0,
    timerDue: Infinity,
    lost: false,
    composing: false,
    textWanted: false,
    entering: false, // focus moved by us, not by Tab
    pen: null, // 2D context that glyphs are drawn with
    fonts: ['', ''],
    glyph: null, // pixels of the glyph drawn last
    cursor: '',
    apple: false,
    copied: '',
    frames: 0, // animation frames drawn since the start, for the idle test

    host(name, ...args) {
      const host = Module['host'];
      if (host && host[name]) return host[name](...args);
      return undefined;
    },

    // Runs `call` with `text` as a C string on the stack.
    withText(text, call) {
      const stack = stackSave();
      const pointer = stringToUTF8OnStack(text);
      const result = call(pointer);
      stackRestore(stack);
      return result;
    },

    // Longer texts go through the heap: the stack is small.
    withHeapText(text, call) {
      const pointer = stringToNewUTF8(text);
      const result = call(pointer);
      _free(pointer);
      return result;
    },

    // ---- frames

    request() {
      if (!XKW.raf && !XKW.lost) XKW.raf = requestAnimationFrame(XKW.onFrame);
    },
    onFrame() {
      XKW.raf = 0;
      XKW.frames += 1;
      if (!XKW.lost) _xkw_frame();
    },

    // ---- size

    // Backing store and drawing in one task, so that a resize never shows an empty canvas.
    measure(entry) {
      const canvas = XKW.canvas;
      const ratio = window.devicePixelRatio || 1;
      let width = Math.round(canvas.clientWidth * ratio);
      let height = Math.round(canvas.clientHeight * ratio);
      // The browser's own count is exact where rounding is not, but emulated devices report other pixels.
      const box = entry && entry.devicePixelContentBoxSize && entry.devicePixelContentBoxSize[0];
      if (box && Math.abs(box.inlineSize - width) < 2 && Math.abs(box.blockSize - height) < 2) {
        width = box.inlineSize;
        height = box.blockSize;
      }
      width = Math.max(1, width);
      height = Math.max(1, height);
      if (canvas.width !== width) canvas.width = width;
      if (canvas.height !== height) canvas.height = height;
      _xkw_on_size(width, height, ratio);
      if (!XKW.lost) _xkw_frame();
    },
    watchRatio() {
      const query = matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
      query.addEventListener('change', () => { XKW.watchRatio(); XKW.measure(); }, { once: true });
    },

    // ---- pointer

    pointer(event, kind) {
      const source = event.pointerType === 'touch' ? 1 : event.pointerType === 'pen' ? 2 : 0;
      _xkw_on_pointer(kind, source, event.offsetX, event.offsetY, event.clientX, event.clientY, event.timeStamp / 1000);
    },
    onPointerDown(event) {
      if (event.button !== 0 || !event.isPrimary) return;
      delete XKW.canvas.dataset.ring;
      XKW.focusGroup();
      XKW.canvas.setPointerCapture(event.pointerId);
      XKW.pointer(event, 1);
    },
    onPointerMove(event) {
      if (event.isPrimary) XKW.pointer(event, 0);
    },
    onPointerUp(event) {
      if (event.button !== 0 || !event.isPrimary) return;
      XKW.pointer(event, 2);
      // What the press did is settled here, inside the user's gesture: only now may a soft keyboard be raised, the
      // clipboard written or a file chosen.
      _xkw_settle();
    },
    onPointerCancel(event) {
      if (event.isPrimary) XKW.pointer(event, 3);
    },
    onPointerLeave(event) {
      if (event.isPrimary && event.pointerType !== 'touch') XKW.pointer(event, 4);
    },
    onWheel(event) {
      if (event.ctrlKey) return; // the browser's zoom
      const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? XKW.canvas.clientHeight : 1;
      let x = event.deltaX * unit;
      let y = event.deltaY * unit;
      if (event.shiftKey && !XKW.apple && x === 0) { x = y; y = 0; }
      if (_xkw_on_wheel(x, y, event.offsetX, event.offsetY, event.timeStamp / 1000)) event.preventDefault();
    },

    // ---- keyboard and text

    hasFocus() {
      const active = document.activeElement;
      return active === XKW.canvas || active === XKW.field;
    },
    focusGroup() {
      if (XKW.hasFocus()) return;
      XKW.entering = true;
      XKW.canvas.focus({ preventScroll: true });
      XKW.entering = false;
    },
    onFocus(event) {
      const other = event.relatedTarget;
      const inside = other === XKW.canvas || other === XKW.field;
      let edge = 0;
      if (event.target === XKW.canvas && !inside && !XKW.entering) {
        const after = other && (XKW.canvas.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING);
        edge = after ? -1 : 1;
        XKW.canvas.dataset.ring = '';
      }
      if (!inside || edge) _xkw_on_focus(1, edge);
    },
    onBlur(event) {
      const other = event.relatedTarget;
      if (other === XKW.canvas || other === XKW.field) return;
      _xkw_on_focus(0, 0);
    },
    modifiers(event) {
      return (event.ctrlKey ? 1 : 0) | (event.shiftKey ? 2 : 0) | (event.altKey ? 4 : 0) | (event.metaKey ? 8 : 0);
    },
    onKey(event, down) {
      if (event.isComposing || event.keyCode === 229) return;
      const command = XKW.apple ? event.metaKey : event.ctrlKey;
      if (command && (event.key === 'v' || event.key === 'V')) return; // the paste event follows
      if (down && event.key === 'Tab' && !event.ctrlKey && !event.altKey && !event.metaKey) {
        if (_xkw_tab_leaves(event.shiftKey ? 1 : 0)) {
          // The browser moves on from the element that has the focus now.
          if (event.shiftKey && document.activeElement === XKW.field) {
            XKW.entering = true;
            XKW.canvas.focus({ preventScroll: true });
            XKW.entering = false;
          }
          return;
        }
      }
      // Letters by what they mean, everything else by where it is.
      const code = /^[a-zA-Z]$/.test(event.key) ? 'Key' + event.key.toUpperCase() : event.code || event.key;
      const used = XKW.withText(code, (text) => _xkw_on_key(text, down ? 1 : 0, XKW.modifiers(event)));
      if (used) event.preventDefault();
      if (down && used) _xkw_settle();
      // Nothing to close: Escape gives the keyboard back to the page.
      if (down && !used && event.key === 'Escape') document.activeElement.blur();
    },
    text(text) {
      if (text) XKW.withHeapText(text, (pointer) => _xkw_on_text(pointer));
    },
    onInput(event) {
      if (XKW.composing || event.isComposing) return;
      const text = XKW.field.value;
      XKW.field.value = '';
      XKW.text(text);
    },
    onComposition(event) {
      if (event.type === 'compositionstart') {
        XKW.composing = true;
        XKW.field.classList.add('composing');
      } else if (event.type === 'compositionend') {
        // The commit: browsers differ in whether an input event follows, so the field is emptied here.
        XKW.composing = false;
        XKW.field.classList.remove('composing');
        XKW.field.value = '';
        XKW.text(event.data);
      }
    },
    onPaste(event) {
      const data = event.clipboardData;
      if (!data) return;
      const file = data.files && data.files[0];
      if (file) {
        event.preventDefault();
        XKW.readFile(file);
        return;
      }
      const text = data.getData('text/plain');
      event.preventDefault();
      if (text) {
        XKW.copied = text;
        XKW.withHeapText(text, (pointer) => _xkw_on_paste(pointer));
        _xkw_settle();
      }
    },

    // ---- files

    // More than anything we accept is cut: the core then says how much is allowed.
    readFile(file) {
      file.slice(0, 8 * 1024 * 1024 + 1).arrayBuffer().then((buffer) => {
        const size = buffer.byteLength;
        const pointer = _malloc(size + 1);
        HEAPU8.set(new Uint8Array(buffer), pointer);
        XKW.withText(file.name.slice(0, 200), (name) => _xkw_on_file(name, pointer, size));
        _free(pointer);
      }, (error) => XKW.host('notice', String(error)));
    },

    // ---- the context

    onLost(event) {
      event.preventDefault();
      XKW.lost = true;
      if (XKW.raf) cancelAnimationFrame(XKW.raf);
      XKW.raf = 0;
      XKW.host('contextLost');
    },
    onRestored() {
      XKW.lost = false;
      XKW.answerOnce();
      _xkw_on_restored();
      XKW.host('contextRestored');
      XKW.measure();
    },

    // The drawing backend asks for the state before each frame, to put it back afterwards. Every question waits until
    // the GPU process has drawn the frame before. Nobody else draws in this context, so one answer serves for all.
    answerOnce() {
      const gl = GL.getContext(XKW.gl).GLctx;
      const answers = new Map();
      gl.getParameter = (name) => {
        if (!answers.has(name)) answers.set(name, Object.getPrototypeOf(gl).getParameter.call(gl, name));
        return answers.get(name);
      };
    },

    openCanvas(canvas, field) {
      XKW.gl = GL.createContext(canvas, { majorVersion: 2, minorVersion: 0, enableExtensionsByDefault: 1, ...Module['webgl'] });
      if (!XKW.gl) return 0;
      GL.makeContextCurrent(XKW.gl);
      XKW.answerOnce();
      XKW.canvas = canvas;
      XKW.field = field;
      XKW.apple = /Mac|iPhone|iPad/.test(navigator.platform);
      const on = (target, names, handler, options) => {
        for (const name of names.split(' ')) target.addEventListener(name, handler, options);
      };
      on(canvas, 'pointerdown', XKW.onPointerDown);
      on(canvas, 'pointermove', XKW.onPointerMove);
      on(canvas, 'pointerup', XKW.onPointerUp);
      on(canvas, 'pointercancel', XKW.onPointerCancel);
      on(canvas, 'pointerleave', XKW.onPointerLeave);
      // The focus is ours to give: the default would take it from the text field.
      on(canvas, 'mousedown', (event) => { if (event.button === 0) event.preventDefault(); });
      // No imitated mouse after a touch: it would click on what the touch has just opened.
      on(canvas, 'touchend', (event) => { if (event.cancelable) event.preventDefault(); }, { passive: false });
      on(canvas, 'wheel', XKW.onWheel, { passive: false });
      for (const target of [canvas, field]) {
        on(target, 'focus', XKW.onFocus);
        on(target, 'blur', XKW.onBlur);
        on(target, 'keydown', (event) => XKW.onKey(event, true));
        on(target, 'keyup', (event) => XKW.onKey(event, false));
        on(target, 'paste', XKW.onPaste);
      }
      on(field, 'input', XKW.onInput);
      on(field, 'compositionstart compositionupdate compositionend', XKW.onComposition);
      on(canvas, 'dragover', (event) => event.preventDefault());
      on(canvas, 'drop', (event) => {
        event.preventDefault();
        const file = event.dataTransfer && event.dataTransfer.files[0];
        if (file) XKW.readFile(file);
      });
      on(canvas, 'webglcontextlost', XKW.onLost);
      on(canvas, 'webglcontextrestored', XKW.onRestored);
      on(document, 'visibilitychange', () => {
        if (document.hidden) _xkw_on_focus(0, 0);
        else XKW.measure();
      });
      for (const query of ['(prefers-color-scheme: dark)', '(prefers-contrast: more)',
        '(prefers-reduced-motion: reduce)']) {
        on(matchMedia(query), 'change', () => _xkw_on_preferences());
      }
      const observer = new ResizeObserver((entries) => XKW.measure(entries[entries.length - 1]));
      try {
        observer.observe(canvas, { box: 'device-pixel-content-box' });
      } catch {
        observer.observe(canvas);
      }
      XKW.watchRatio();
      return 1;
    },
  },

  // ---- called from C++

  xkw_open__deps: ['$XKW', 'malloc', 'free'],
  xkw_open: () => {
    const canvas = Module['canvas'];
    Module['xuankaFrames'] = () => XKW.frames;
    Module['xuankaBusy'] = () => XKW.raf !== 0;
    return canvas ? XKW.openCanvas(canvas, Module['field']) : 0;
  },
  xkw_request_frame__deps: ['$XKW'],
  xkw_request_frame: () => XKW.request(),
  xkw_request_frame_after__deps: ['$XKW'],
  xkw_request_frame_after: (seconds) => {
    const due = performance.now() + seconds * 1000;
    if (due >= XKW.timerDue) return;
    clearTimeout(XKW.timer);
    XKW.timerDue = due;
    XKW.timer = setTimeout(() => { XKW.timerDue = Infinity; _xkw_on_timer(); }, seconds * 1000);
  },
  xkw_now: () => performance.now() / 1000,
  xkw_apple__deps: ['$XKW'],
  xkw_apple: () => (XKW.apple ? 1 : 0),
  // Bits: 1 dark, 2 more contrast, 4 reduced motion, 8 coarse pointer.
  xkw_preferences: () => {
    if (typeof matchMedia === 'undefined') return 0; // node, at build time
    const has = (query) => matchMedia(query).matches;
    return (has('(prefers-color-scheme: dark)') ? 1 : 0) | (has('(prefers-contrast: more)') ? 2 : 0) |
      (has('(prefers-reduced-motion: reduce)') ? 4 : 0) | (has('(pointer: coarse)') ? 8 : 0);
  },
  xkw_cursor__deps: ['$XKW', '$UTF8ToString'],
  xkw_cursor: (name) => {
    const cursor = UTF8ToString(name);
    if (cursor !== XKW.cursor) {
      XKW.cursor = cursor;
      XKW.canvas.style.cursor = cursor;
    }
  },
  // Moves the focus between canvas and text field, and the field to the caret: the input method's window opens there.
  xkw_text_input__deps: ['$XKW'],
  xkw_text_input: (wanted, x, y, height) => {
    const field = XKW.field;
    if (wanted) {
      const canvas = XKW.canvas;
      field.style.left = `${Math.max(0, Math.min(x, canvas.clientWidth - 40))}px`;
      field.style.top = `${Math.max(0, Math.min(y, canvas.clientHeight - height))}px`;
      field.style.height = `${height}px`;
    }
    if (!XKW.hasFocus()) return;
    const target = wanted ? field : XKW.canvas;
    if (document.activeElement === target) return;
    XKW.entering = true;
    if (!wanted) field.value = '';
    target.focus({ preventScroll: true });
    XKW.entering = false;
  },
  xkw_scroll_page__deps: ['$XKW'],
  xkw_scroll_page: (dy) => {
    const before = window.scrollY;
    window.scrollBy(0, dy);
    // What is left over belongs to the page around an embedded one.
    return window.scrollY !== before || XKW.host('scrollHost', dy) ? 1 : 0;
  },
  xkw_copy__deps: ['$XKW', '$UTF8ToString'],
  xkw_copy: (text) => {
    const value = UTF8ToString(text);
    XKW.copied = value;
    const old = () => {
      const area = document.createElement('textarea');
      area.value = value;
      area.className = 'offscreen';
      document.body.append(area);
      const active = document.activeElement;
      area.select();
      const done = document.execCommand('copy');
      area.remove();
      if (active && active.focus) active.focus({ preventScroll: true });
      if (!done) XKW.host('copyFailed', value);
    };
    if (navigator.clipboard && navigator.clipboard.writeText) navigator.clipboard.writeText(value).catch(old);
    else old();
  },
  xkw_copied__deps: ['$XKW', '$stringToNewUTF8'],
  xkw_copied: () => stringToNewUTF8(XKW.copied),
  xkw_save_picture__deps: ['$XKW', '$UTF8ToString'],
  xkw_save_picture: (x, y, width, height, name) => {
    // The buffer is gone once this task ends: copy it now.
    const source = XKW.canvas;
    const ratio = source.width / source.clientWidth;
    const copy = document.createElement('canvas');
    copy.width = Math.max(1, Math.round(width * ratio));
    copy.height = Math.max(1, Math.round(height * ratio));
    copy.getContext('2d').drawImage(source, Math.round(x * ratio), Math.round(y * ratio), copy.width, copy.height,
      0, 0, copy.width, copy.height);
    const file = UTF8ToString(name);
    copy.toBlob((blob) => XKW.host('saveBlob', file, blob), 'image/png');
  },
  xkw_pick_file__deps: ['$XKW', '$UTF8ToString'],
  xkw_pick_file: (accept) => {
    const chooser = document.createElement('input');
    chooser.type = 'file';
    chooser.accept = UTF8ToString(accept);
    chooser.addEventListener('change', () => { if (chooser.files[0]) XKW.readFile(chooser.files[0]); });
    chooser.click();
  },
  xkw_load_measurements__deps: ['$XKW', 'malloc', 'free'],
  xkw_load_measurements: () => {
    const give = (text) => {
      const bytes = new TextEncoder().encode(text);
      const pointer = _malloc(bytes.length + 1);
      HEAPU8.set(bytes, pointer);
      _xkw_on_measurements(pointer, bytes.length);
      _free(pointer);
    };
    Promise.resolve(XKW.host('measurements')).catch(() => '').then((text) => give(text || ''));
  },
  xkw_download__deps: ['$XKW', '$UTF8ToString'],
  xkw_download: (name, mime, data, size) => {
    const blob = new Blob([HEAPU8.slice(data, data + size)], { type: UTF8ToString(mime) });
    XKW.host('saveBlob', UTF8ToString(name), blob);
  },
  // What the page does rather than the canvas: one text argument, a text or nothing back.
  xkw_host__deps: ['$XKW', '$UTF8ToString', '$stringToNewUTF8'],
  xkw_host: (name, text) => {
    const result = XKW.host(UTF8ToString(name), UTF8ToString(text));
    return result === undefined || result === null ? 0 : stringToNewUTF8(String(result));
  },

  // ---- glyphs: the browser draws them with its own fonts

  xkw_font_setup__deps: ['$XKW', '$UTF8ToString'],
  xkw_font_setup: (face, style) => {
    if (!XKW.pen) {
      const sheet = document.createElement('canvas');
      sheet.width = sheet.height = 256;
      sheet.lang = 'zh-CN'; // which national form of unified Han characters
      XKW.pen = sheet.getContext('2d', { willReadFrequently: true });
    }
    XKW.fonts[face] = UTF8ToString(style);
  },
  $xkwSetFont__deps: ['$XKW'],
  $xkwSetFont: (face, size) => {
    const font = XKW.fonts[face].replace('SIZE', `${size}px`);
    if (XKW.pen.font !== font) XKW.pen.font = font;
  },
  xkw_glyph_advance__deps: ['$XKW', '$xkwSetFont'],
  xkw_glyph_advance: (face, size, codepoint) => {
    xkwSetFont(face, size);
    return XKW.pen.measureText(String.fromCodePoint(codepoint)).width;
  },
  // Draws one character and keeps its pixels. out: left, top (from the baseline, down is positive), width, height,
  // advance, coloured. All in device pixels.
  xkw_glyph_draw__deps: ['$XKW', '$xkwSetFont'],
  xkw_glyph_draw: (face, size, codepoint, out) => {
    xkwSetFont(face, size);
    const pen = XKW.pen;
    const text = String.fromCodePoint(codepoint);
    const box = pen.measureText(text);
    const left = Math.floor(-box.actualBoundingBoxLeft) - 1;
    const top = -Math.ceil(box.actualBoundingBoxAscent) - 1;
    const width = Math.ceil(box.actualBoundingBoxRight) + 1 - left;
    const height = Math.ceil(box.actualBoundingBoxDescent) + 1 - top;
    const at = out >> 2;
    XKW.glyph = null;
    let coloured = 0;
    if (width > 2 && height > 2 && width <= 1024 && height <= 1024) {
      if (width > pen.canvas.width || height > pen.canvas.height) {
        const font = pen.font;
        pen.canvas.width = Math.max(width, pen.canvas.width);
        pen.canvas.height = Math.max(height, pen.canvas.height);
        pen.font = font;
      }
      pen.clearRect(0, 0, width, height);
      pen.fillStyle = '#000';
      pen.fillText(text, -left, -top);
      const pixels = pen.getImageData(0, 0, width, height).data;
      // Black where the font has no colours of its own.
      for (let i = 0; i < pixels.length && !coloured; i += 4) {
        if (pixels[i + 3] && (pixels[i] | pixels[i + 1] | pixels[i + 2])) coloured = 1;
      }
      if (!coloured) for (let i = 0; i < pixels.length; i += 4) pixels[i] = pixels[i + 1] = pixels[i + 2] = 255;
      XKW.glyph = pixels;
    }
    HEAPF32[at] = left;
    HEAPF32[at + 1] = top;
    HEAPF32[at + 2] = XKW.glyph ? width : 0;
    HEAPF32[at + 3] = XKW.glyph ? height : 0;
    HEAPF32[at + 4] = box.width;
    HEAPF32[at + 5] = coloured;
  },
  xkw_glyph_read__deps: ['$XKW'],
  xkw_glyph_read: (pixels) => HEAPU8.set(XKW.glyph, pixels),
});
