/**
 * Removes the names of all platform interfaces that the wallet does not use: network access other than `fetch` and
 * WebSockets, devices, sound, 3D drawing, databases, and whatever a browser adds later. Packages can't reach them by
 * name. The wallet also starts faster, because the browser need not create them only to freeze them.
 */

/**
 * Names of the interfaces that stay and are frozen: the language's objects, those that the wallet's scripts name, and
 * those whose objects the user's input, messages and requests pass through.
 */
const USED = new Set(
  [
    // The language
    'AggregateError Array ArrayBuffer AsyncDisposableStack Atomics BigInt BigInt64Array BigUint64Array Boolean DataView',
    'Date DisposableStack Error EvalError FinalizationRegistry Float16Array Float32Array Float64Array Function Infinity',
    'Int16Array Int32Array Int8Array InternalError Intl Iterator JSON Map Math NaN Number Object Promise Proxy',
    'RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer String SuppressedError Symbol SyntaxError TypeError',
    'URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet',
    // Requests, streams, sockets
    'AbortController AbortSignal Blob CompressionStream DecompressionStream File FileList FileReader FormData Headers',
    'ReadableByteStreamController ReadableStream ReadableStreamBYOBReader ReadableStreamBYOBRequest',
    'ReadableStreamDefaultController ReadableStreamDefaultReader Request Response TextDecoder TextDecoderStream',
    'TextEncoder TextEncoderStream TransformStream TransformStreamDefaultController URL URLSearchParams WebSocket',
    'WritableStream WritableStreamDefaultController WritableStreamDefaultWriter',
    // Secrets, passkeys, the clipboard, storage
    'Clipboard ClipboardItem Crypto CryptoKey LockManager PublicKeyCredential Storage StorageManager SubtleCrypto',
    // Events
    'BeforeUnloadEvent ClipboardEvent CloseEvent CustomEvent ErrorEvent Event EventTarget ExtendableEvent',
    'ExtendableMessageEvent FetchEvent FocusEvent HashChangeEvent InputEvent InstallEvent KeyboardEvent',
    'MediaQueryListEvent MessageChannel MessageEvent MessagePort MouseEvent PageTransitionEvent PointerEvent',
    'PopStateEvent ProgressEvent PromiseRejectionEvent StorageEvent SubmitEvent ToggleEvent UIEvent WheelEvent',
    // Contexts
    'Client Clients DOMException History Location Navigator Performance Permissions PermissionStatus Scheduler',
    'ServiceWorker ServiceWorkerContainer ServiceWorkerGlobalScope ServiceWorkerRegistration UserActivation Window',
    'WindowClient WorkerGlobalScope WorkerLocation WorkerNavigator',
    // The document
    'Attr CharacterData Comment CSS CSSStyleDeclaration CSSStyleSheet DataTransfer DataTransferItem DataTransferItemList',
    'Document DocumentFragment DOMParser DOMRect DOMRectReadOnly DOMStringMap DOMTokenList Element HTMLCollection',
    'HTMLDocument HTMLElement IntersectionObserver IntersectionObserverEntry MediaQueryList MutationObserver',
    'MutationRecord NamedNodeMap Node NodeList Range ResizeObserver ResizeObserverEntry Selection ShadowRoot',
    'StyleSheet Text TreeWalker TrustedHTML TrustedScript TrustedScriptURL TrustedTypePolicy TrustedTypePolicyFactory',
    'XMLDocument',
    // Elements
    'HTMLAnchorElement HTMLButtonElement HTMLCanvasElement HTMLDetailsElement HTMLDialogElement',
    'HTMLDivElement HTMLFieldSetElement HTMLFormControlsCollection HTMLFormElement HTMLHtmlElement HTMLIFrameElement',
    'HTMLImageElement HTMLInputElement HTMLLabelElement HTMLMediaElement HTMLOptionElement HTMLOptionsCollection',
    'HTMLScriptElement HTMLSelectElement HTMLSlotElement HTMLSpanElement HTMLStyleElement HTMLTemplateElement',
    'HTMLTextAreaElement HTMLVideoElement ValidityState',
    // Pictures
    'CanvasRenderingContext2D ImageBitmap ImageData MediaDevices MediaStream MediaStreamTrack OffscreenCanvas',
    'OffscreenCanvasRenderingContext2D OverconstrainedError',
  ].flatMap(names => names.split(' ')),
)

/** True for the name of a class or namespace, such as `Node` and `CSS`. Names of functions and instances are lower case. */
const isInterface = (name: string): boolean => /^[A-Z]/.test(name)

/**
 * Removes the names; call it before the freeze. Objects of these interfaces still work where a method of another
 * interface returns them.
 */
export const removeUnusedInterfaces = (): void => {
  for (const name of Object.getOwnPropertyNames(globalThis))
    if (isInterface(name) && !USED.has(name)) Reflect.deleteProperty(globalThis, name)
}
