/**
 * Removes the names of the platform's interfaces that the wallet does not use: network access other than `fetch` and
 * WebSockets, devices, sound, 3D drawing, databases. Packages can't reach them by name. The wallet also starts faster,
 * because the browser need not create them only to freeze them.
 */

/** Prefixes of the names of unused interfaces. */
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
  // Stores, and the user's accounts
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

/**
 * Removes the names; call it before the freeze. Objects of these interfaces still work where a method of another
 * interface returns them.
 */
export const removeUnusedInterfaces = (): void => {
  const unused = new RegExp(`^(?:${UNUSED_PREFIXES.join('|')})`)
  for (const name of Object.getOwnPropertyNames(globalThis))
    if (unused.test(name)) Reflect.deleteProperty(globalThis, name)
}
