import { PRODUCT } from '#contract/product.ts'
import { content } from './content.ts'

const canonicalUrl = '{{url}}/'
const imageUrl = '{{url}}/og.png'

/** For search engines and link previews. Absolute URLs are filled in when the page is served. */
export function LandingHead() {
  return (
    <>
      <title>{content.title}</title>
      <meta name="description" content={content.description} />
      <link rel="canonical" href={canonicalUrl} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={PRODUCT} />
      <meta property="og:title" content={content.title} />
      <meta property="og:description" content={content.description} />
      <meta property="og:url" content={canonicalUrl} />
      <meta property="og:image" content={imageUrl} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content={content.pictureText} />
      <meta name="twitter:card" content="summary_large_image" />
      <script
        type="application/ld+json"
        dangerouslySetInnerHTML={{ __html: toInlineJson(faqSchema) }}
      />
    </>
  )
}

const faqSchema = {
  '@context': 'https://schema.org',
  '@type': 'FAQPage',
  mainEntity: content.faq.entries.map(({ title, text }) => ({
    '@type': 'Question',
    name: title,
    acceptedAnswer: { '@type': 'Answer', text },
  })),
}

/** Escapes `<`, so that no text can close the script element. */
const toInlineJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')
