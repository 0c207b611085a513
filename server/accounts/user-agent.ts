// Order matters: most browsers also name those they descend from.
const BROWSERS: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Headless)?(?:Chrome|Chromium)\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const SYSTEMS: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]
const MAX_PROGRAM_LENGTH = 40

/**
 * 'Firefox on Windows'; the program's name if it is not a browser; 'Unknown device' without any.
 */
export function describeDevice(userAgent: string): string {
  const named = (list: [RegExp, string][]): string | undefined =>
    list.find(([sign]) => sign.test(userAgent))?.[1]
  const browser = named(BROWSERS)
  const system = named(SYSTEMS)
  if (browser) return system ? `${browser} on ${system}` : browser
  const program = /^[\w.-]+/.exec(userAgent)?.[0].slice(0, MAX_PROGRAM_LENGTH)
  if (program && program !== 'Mozilla') return program
  return system ?? 'Unknown device'
}
