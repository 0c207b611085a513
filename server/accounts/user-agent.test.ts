import { expect, test } from 'vitest'
import { describeDevice } from './user-agent.ts'

const APPLE = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'

test.each([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME}`, 'Chrome on Windows'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Edg/141.0.0.0`, 'Edge on Windows'],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROME}`, 'Chrome on ChromeOS'],
  [`Mozilla/5.0 (X11; Linux x86_64) ${CHROME} OPR/120.0.0.0`, 'Opera on Linux'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0', 'Firefox on Linux'],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${APPLE} Version/18.5 Safari/605.1.15`,
    'Safari on macOS',
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${APPLE} CriOS/141.0 Mobile/15E148`,
    'Chrome on iPhone',
  ],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${CHROME} SamsungBrowser/28.0`,
    'Samsung Internet on Android',
  ],
])('%s is %s', (userAgent, device) => {
  expect(describeDevice(userAgent)).toBe(device)
})

test('a program is shown by its name, and a missing header as unknown device', () => {
  expect(describeDevice('curl/8.14.1')).toBe('curl')
  expect(describeDevice('<img src=x onerror=alert(1)>')).toBe('Unknown device')
  expect(describeDevice('')).toBe('Unknown device')
  expect(describeDevice('x'.repeat(300))).toHaveLength(40)
})
