import { PRODUCT } from '#contract/product.ts'
import { content } from './content.ts'

const address = '{{url}}/'
const picture = '{{url}}/og.png'

/** What search engines and those who share the page are told. Absolute addresses are filled in when it is served. */
export function Head() {
  return (
    <>
      <title>{content.title}</title>
      <meta name="description" content={content.description} />
      <link rel="canonical" href={address} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={PRODUCT} />
      <meta property="og:title" content={content.title} />
      <meta property="og:description" content={content.description} />
      <meta property="og:url" content={address} />
      <meta property="og:image" content={picture} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content={content.pictureText} />
      <meta name="twitter:card" content="summary_large_image" />
      <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: asJson(questions) }} />
    </>
  )
}

/** The questions as schema.org knows them. */
const questions = {
  '@context': 'https://schema.org',
  '@type': 'FAQPage',
  mainEntity: content.faq.entries.map(({ title, text }) => ({
    '@type': 'Question',
    name: title,
    acceptedAnswer: { '@type': 'Answer', text },
  })),
}

/** Inside a script element no text may close it. */
const asJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')
