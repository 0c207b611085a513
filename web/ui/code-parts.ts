export type CodePart = { kind: 'string' | 'key' | 'flag'; start: number; end: number }

/** A string in one line, with the colon that makes it a key; or an option of a command. */
const PARTS =
  /(?<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'"\\\n])*')(?<colon>\s*:)?|(?<=\s)(?<flag>--?[A-Za-z][\w-]*)(?=\s)/g

/** Strings, keys and options of a snippet; the same rules for shell, JavaScript, Python and JSON. */
export function codeParts(code: string): CodePart[] {
  return Array.from(code.matchAll(PARTS), ({ index, groups }) => {
    const { text, colon, flag } = groups!
    const length = (text ?? flag)!.length
    const kind = flag ? 'flag' : colon ? 'key' : 'string'
    return { kind, start: index, end: index + length }
  })
}
