/** Search and topics of the Help page, and numbers of sections. Pure. */
import type { PageSection } from '#contract/support.ts'
import { normalizeText } from '#contract/text.ts'

/** The page has questions to unfold; otherwise it is a text. */
export const hasQuestions = (sections: readonly PageSection[]): boolean =>
  sections.some(({ questions }) => questions.length > 0)

export const questionCount = (sections: readonly PageSection[]): number =>
  sections.reduce((count, { questions }) => count + questions.length, 0)

/**
 * Sections with the questions that have every word in topic, question or answer, also as the beginning of a longer word.
 * Words such as 'how' and 'my' count only where there are no others. All of them without words.
 */
export function searchQuestions(sections: readonly PageSection[], search: string): PageSection[] {
  const words = searchWords(search)
  if (words.length === 0) return [...sections]
  return sections.flatMap(section => {
    const questions = section.questions.filter(({ title, html }) => {
      const text = ` ${wordsOf(`${section.title} ${title} ${textOf(html)}`).join(' ')}`
      return words.every(word => text.includes(` ${word}`))
    })
    return questions.length > 0 ? [{ ...section, questions }] : []
  })
}

/** They are in every question. */
const FILLERS = new Set(
  (
    'a an and are at can do does for from get how i if in is it me my of on or our the to was we what '
    + 'need use want when where which who why will with you your'
  ).split(' '),
)

function searchWords(search: string): string[] {
  const all = wordsOf(search)
  const telling = all.filter(word => !FILLERS.has(word))
  return (telling.length > 0 ? telling : all).map(stemOf)
}

/** 'labels' finds 'label', and 'printing' and 'printed' find 'print'. */
const stemOf = (word: string): string => {
  const stem = word.replace(/(?:ing|ed|s)$/, '')
  return stem.length >= 3 ? stem : word
}

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

/** The author has numbered the sections: ours would be second ones. */
export const areNumbered = (titles: readonly string[]): boolean =>
  titles.some(title => /^(?:§|section\b|article\b|\d+[.):\s])/i.test(title.trim()))
