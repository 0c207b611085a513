/** The landing page, rendered at build time (prerender.ts). `main.ts` adds the interaction. */
import '#web/ui/fonts.css'
import '#web/ui/tokens.css'
import '#web/ui/base.css'
import './landing.css'
import { Hero } from './Hero.tsx'
import { LandingHeader } from './LandingHeader.tsx'
import {
  Footer,
  HowItWorks,
  Pricing,
  Faq,
  CallToAction,
  Testimonials,
  WhyChooseUs,
} from './Sections.tsx'

export function LandingPage() {
  return (
    <>
      <LandingHeader />
      <main id="content" tabIndex={-1}>
        <Hero />
        <HowItWorks />
        <WhyChooseUs />
        <Pricing />
        <Faq />
        <Testimonials />
        <CallToAction />
      </main>
      <Footer />
    </>
  )
}
