import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const COMMANDS = ['firefox-esr', 'firefox']
const PLACES = [
  '/Applications/Firefox.app/Contents/MacOS/firefox',
  'C:\\Program Files\\Mozilla Firefox\\firefox.exe',
]

/** The installed Firefox: FIREFOX_PATH, one on the PATH, or its usual place. Undefined where there is none. */
export function findFirefox(): string | undefined {
  const named = process.env.FIREFOX_PATH
  if (named) {
    if (existsSync(named)) return named
    throw new Error(`FIREFOX_PATH is ${named}, and there is no file.`)
  }
  const folders = (process.env.PATH ?? '').split(delimiter)
  const onPath = folders.flatMap(folder => COMMANDS.map(command => join(folder, command)))
  return [...onPath, ...PLACES].find(path => existsSync(path))
}
