/**
 * Removes the names of the platform's interfaces that the wallet does not use: other ways to the network than `fetch` and
 * WebSockets, devices, sound, three-dimensional drawing, databases. Packages can't reach them by name, and the wallet's start does not wait
 * until the browser has made them only to freeze them.
 */

/** The interfaces whose names start with one of these. */
const UNUSED_PREFIXES = [
  // Network
  ...['RTC', 'webkitRTC', 'WebTransport', 'WebSocketStream', 'EventSource', 'BackgroundFetch'],
  // Devices
  ...['Bluetooth', 'Gamepad', 'Geolocation', 'HID', 'MIDI', 'Presentation', 'Serial', 'USB', 'XR'],
  ...['Accelerometer', 'Gyroscope', 'Sensor', 'AbsoluteOrientation', 'RelativeOrientation', 'LinearAcceleration'],
  // Sound
  ...['Analyser', 'Audio', 'BaseAudio', 'Biquad', 'Channel', 'ConstantSource', 'Convolver', 'DelayNode', 'Dynamics'],
  ...['Gain', 'IIR', 'OfflineAudio', 'Oscillator', 'Panner', 'Periodic', 'ScriptProcessor', 'Speech', 'Stereo', 'Wave'],
  // Drawing and pictures, except for the canvas
  ...['EncodedVideo', 'GPU', 'VideoDecoder', 'VideoEncoder', 'VideoFrame', 'WGSL', 'WebGL', 'SVGAnimat', 'SVGFE'],
  // Stores, and the person's accounts
  ...['IDB', 'Credential', 'Digital', 'Federated', 'Identity', 'OTP', 'Password', 'Payment', 'StorageBucket'],
  // Styles as objects
  ...['CSSAnimation', 'CSSColor', 'CSSContainer', 'CSSCounter', 'CSSFont', 'CSSFunction', 'CSSImage', 'CSSKey'],
  ...['CSSLayer', 'CSSMargin', 'CSSMath', 'CSSMatrix', 'CSSNumeric', 'CSSPerspective', 'CSSPosition', 'CSSRotate'],
  ...['CSSScale', 'CSSSkew', 'CSSTransform', 'CSSTransl', 'CSSUnit', 'CSSUnparsed', 'CSSVariable', 'CSSViewTransition'],
  // Subtitles, reports, models, and others
  ...['ChapterInformation', 'EditContext', 'ScreenDetail', 'SharedWorker', 'SourceBuffer', 'TextTrack', 'VTT'],
  ...['CSP', 'IntegrityViolation', 'NotRestored', 'Profiler', 'Report', 'MediaSession', 'MediaMetadata', 'MediaCap'],
  ...[
    'Highlight',
    'LanguageDetector',
    'LanguageModel',
    'LargestContentful',
    'LayoutShift',
    'MediaKey',
    'MediaRecorder',
  ],
  ...['MediaSource', 'Navigation', 'PerformanceE', 'PerformanceL', 'PerformanceN', 'PerformanceO', 'PerformanceP'],
  ...['PerformanceR', 'PerformanceS', 'PerformanceT', 'PictureInPicture', 'Summarizer', 'Translator', 'XPath', 'XSLT'],
]

/** Run before the freeze. Objects of these interfaces still work where a method of another one returns them. */
export const removeUnusedInterfaces = (): void => {
  const unused = new RegExp(`^(?:${UNUSED_PREFIXES.join('|')})`)
  for (const name of Object.getOwnPropertyNames(globalThis))
    if (unused.test(name)) Reflect.deleteProperty(globalThis, name)
}
