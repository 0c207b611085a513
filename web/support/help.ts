/** Search and topics of the Help page, and numbers of sections. Pure. */
import type { PageQuestion, PageSlug, TextSection } from '#contract/support.ts'
import { normalizeText } from '#contract/text.ts'

/** Only Help has questions to unfold: a heading of level 3 in the terms is a heading. */
export const showsQuestions = (slug: PageSlug, sections: readonly TextSection[]): boolean =>
  slug === 'help' && questionCount(sections) > 0

export const questionCount = (sections: readonly TextSection[]): number =>
  sections.reduce((count, { questions }) => count + questions.length, 0)

/**
 * The words that a search looks for, without their endings; none in a search of signs alone. Words such as 'how' and 'my' count
 * only where there are no others.
 */
export function searchWords(search: string): string[] {
  const all = wordsOf(search)
  const telling = all.filter(word => !FILLERS.has(word))
  return (telling.length > 0 ? telling : all).map(stemOf)
}

/** Sections with the questions that have every word in topic, question or answer, at least as the beginning of a longer word. */
export function searchQuestions(
  sections: readonly TextSection[],
  words: readonly string[],
): TextSection[] {
  return sections.flatMap(section => {
    const questions = section.questions.filter(question => {
      const text = searchedText(section, question)
      return words.every(word => text.includes(` ${word}`))
    })
    return questions.length > 0 ? [{ ...section, questions }] : []
  })
}

/** For a search without a result: the questions with the most of its words, then the first one of each topic. */
export function suggestQuestions(
  sections: readonly TextSection[],
  words: readonly string[],
  count: number,
): PageQuestion[] {
  const questions = sections.flatMap(section =>
    section.questions.map((question, at) => {
      const text = searchedText(section, question)
      const found = words.filter(word => text.includes(` ${word}`)).length
      return { question, rank: 2 * found + (at === 0 ? 1 : 0) }
    }),
  )
  return questions
    .toSorted((a, b) => b.rank - a.rank)
    .slice(0, count)
    .map(({ question }) => question)
}

const searchedText = (section: TextSection, { title, html }: PageQuestion): string =>
  ` ${wordsOf(`${section.title} ${title} ${textOf(html)}`).join(' ')}`

/** They are in every question. */
const FILLERS = new Set(
  (
    'a an and are at can do does for from get how i if in is it me my of on or our the to was we what '
    + 'need use want when where which who why will with you your'
  ).split(' '),
)

const ENDINGS = [/(?<=\w{5})ation$/, /ing$/, /(?<!e)ed$/, /(?<=[sxz]|ch|sh)es$/, /ies$/, /s$/]
/** 'fill' and 'pass' are words, 'shipp' and 'cancell' are not. */
const DOUBLED = /(?:([bdgkmnprt])\1|(?<=\w{4})ll)$/

/** 'labels' finds 'label', 'printing' and 'printed' find 'print', and 'shipping' finds 'ship'. */
function stemOf(word: string): string {
  const ending = ENDINGS.find(one => one.test(word))
  const stem = ending ? word.replace(ending, '') : word
  if (stem.length < 3) return word
  return ending && stem.length > 3 && DOUBLED.test(stem) ? stem.slice(0, -1) : stem
}

/** A text in parts, of which some are words that a search looks for. */
export type MarkedPart = { text: string; isFound: boolean }

export const markText = (text: string, words: readonly string[]): MarkedPart[] =>
  text.split(WORD).flatMap((part, at) => {
    if (part === '') return []
    return [{ text: part, isFound: at % 2 === 1 && isFound(part, words) }]
  })

/** HTML that our server made, with `<mark>` around the words that a search looks for. */
export const markHtml = (html: string, words: readonly string[]): string =>
  html
    .split(/(<[^>]*>|&\w+;)/)
    .map((part, at) =>
      at % 2 === 1
        ? part
        : markText(part, words)
            .map(({ text, isFound: found }) => (found ? `<mark>${text}</mark>` : text))
            .join(''),
    )
    .join('')

const WORD = /([\p{L}\p{N}\p{M}'’]+)/u
const isFound = (text: string, words: readonly string[]): boolean =>
  wordsOf(text).some(word => words.some(start => word.startsWith(start)))

const wordsOf = (text: string): string[] =>
  normalizeText(text, 'NFKD')
    .replace(/[\p{M}'’]/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

const SIGNS: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' }

/** The words of HTML that our server made. */
const textOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot);/g, (_, name: string) => SIGNS[name] ?? '')

export type Topic =
  | 'label'
  | 'bulk'
  | 'print'
  | 'refund'
  | 'money'
  | 'account'
  | 'program'
  | 'other'

/** The first that fits: 'API and apps' before 'Account and API keys'. */
const TOPIC_WORDS: readonly (readonly [Topic, RegExp])[] = [
  ['refund', /\b(?:refund|void|cancel|return)/],
  ['bulk', /\b(?:bulk|batch|file|import|upload|spreadsheet)/],
  ['print', /\b(?:print|paper|zpl)/],
  ['program', /\b(?:api|app|apps|program|developer|integration|webhook)/],
  ['account', /\b(?:account|security|sign|password|login|privacy)/],
  ['money', /\b(?:money|deposit|balance|payment|pay|price|billing|wallet|invoice)/],
  ['label', /\b(?:label|buy|order|ship|parcel|track)/],
]

/** What the picture of a topic shows, by the words of its title. */
export const topicOf = (title: string): Topic =>
  TOPIC_WORDS.find(([, words]) => words.test(title.toLowerCase()))?.[0] ?? 'other'

/** The author has numbered the sections: ours would be second ones. One title such as '30 days to ask' is no number. */
export const areNumbered = (titles: readonly string[]): boolean =>
  titles.every(title => /^(?:§|section\b|article\b|\d+[.):\s])/i.test(title.trim()))
