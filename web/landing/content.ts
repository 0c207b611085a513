/**
 * Every word of the landing page, in one place. The claims are those of the specification (1, 9); whoever runs the product
 * edits them here. A `{{price}}` is filled in when the page is served (contract/page-template.ts).
 */
import { PRODUCT } from '#contract/product.ts'

/** Out of five, in halves. `example`: written by us, not by a customer; the page says so as long as there is one. */
export type Testimonial = {
  rating: number
  text: string
  name: string
  designation: string
  example: boolean
}
type TitledText = { title: string; text: string }

export const content = {
  title: `${PRODUCT}: shipping labels at one price, whatever the weight`,
  description:
    'Prepaid shipping labels at one price for every weight. Buy one in seconds or thousands from a file, paid with Bitcoin.',
  pictureText: `Two specimen labels, 20 lb and 120 lb, beside the words: 120 pounds at the price of 20. ${PRODUCT}.`,

  header: {
    name: 'Sections',
    howItWorks: 'How It Works',
    pricing: 'Pricing',
    faq: 'FAQ',
    login: 'Login',
    register: 'Register',
    dashboard: 'Dashboard',
    theme: 'Switch theme',
    toLight: 'Switch to light theme',
    toDark: 'Switch to dark theme',
    skip: 'Skip to content',
  },

  hero: {
    /** One line each; the last one is orange. */
    headline: ['120 pounds', 'at the price', 'of 20.'],
    text:
      'The label of a light parcel and that of a heavy one cost the same here. Type one address, or hand over a whole day of orders in '
      + 'one file, and print.',
    start: 'Get Started',
    pricing: 'See pricing',
    facts: [
      { title: '98%', text: 'satisfaction guarantee' },
      { title: '30 days', text: 'money-back guarantee' },
      { title: '24/7', text: 'support, every day of the year' },
    ] satisfies TitledText[],
    art: 'Two specimen labels, one for 20 lb and one for 120 lb.',
    artPrice: 'Both cost {{price}}.',
    equation: '20 lb = 120 lb',
    equationText: 'one scale, one price',
  },

  how: {
    title: 'How It Works',
    text: 'Three steps from an address to a label on the box.',
    steps: [
      {
        title: 'Fill your balance',
        text: 'Pay a Bitcoin invoice of any size. The money is in your balance as soon as it is confirmed.',
      },
      {
        title: 'Enter or upload',
        text: 'One form for one parcel; for many, a CSV or your marketplace’s order export, checked row by row before you buy.',
      },
      {
        title: 'Print and ship',
        text: 'All labels in one PDF, every tracking number in a file, and the shipping confirmation ready for your marketplace.',
      },
    ] satisfies TitledText[],
  },

  why: {
    title: 'Why Choose Us',
    text: 'For people with parcels to send and better things to do.',
    main: {
      title: 'Full automation',
      text: 'Upload the file and watch it run: checked, priced, bought, printed. One bad row harms no other, and its money comes back.',
    },
    side: {
      title: 'Overnight labels',
      text: 'Order in the evening and have the labels on the table before the day begins.',
    },
    cells: [
      {
        title: 'Multilingual support',
        text: 'Ask in your own language, at any hour. Support is there 24/7.',
      },
      {
        title: 'Lower rates with Bitcoin',
        text: 'Bitcoin is our main way to pay. It costs us less, so your labels cost less.',
      },
      {
        title: 'Loyalty pays',
        text: 'Loyal customers get exclusive discounts: prices of their own, on every label.',
      },
    ] satisfies TitledText[],
  },

  pricing: {
    title: 'Clear Pricing No Hidden Fees',
    text: 'A 120lb label costs the same as a 20lb one. The price you see before you buy is exactly what leaves your balance.',
    price: 'Labels from',
    points: [
      'One price at every weight',
      'No charge for a label that fails',
      '30-day money-back guarantee',
    ],
    chart: `Price by weight. Elsewhere it climbs with every pound; with ${PRODUCT} it is the same line from 20 lb to 120 lb.`,
    others: 'priced by weight',
    light: '20 lb',
    heavy: '120 lb',
  },

  faq: {
    title: 'Frequently Asked Questions',
    entries: [
      {
        title: 'How do I pay for labels?',
        text:
          'You keep a prepaid balance. Fill it by a Bitcoin invoice, which is our main way to pay and gives you the lower rates; each '
          + 'label is then taken from the balance at the price you were shown.',
      },
      {
        title: 'How do I order many labels at once?',
        text:
          'Upload a CSV made from our template, or the tab-delimited order export of your marketplace as it is. Every row is '
          + 'checked first, and you can correct it in the table before you buy.',
      },
      {
        title: 'What if I am not satisfied?',
        text:
          'A label that could not be made is paid back to your balance by itself. Beyond that you have our 98% satisfaction '
          + 'guarantee and 30 days to ask for your money back.',
      },
    ] satisfies TitledText[],
  },

  testimonials: {
    title: 'What Our Customers Say',
    stars: (rating: number) => `${rating} out of 5 stars`,
    entries: [
      {
        rating: 4.5,
        name: 'Marta L.',
        designation: 'Customer',
        example: true,
        text: 'We used to type labels until the evening. Now somebody uploads the export, and the printer is the slow part.',
      },
      {
        rating: 5,
        name: 'Deon W.',
        designation: 'Customer',
        example: true,
        text: 'Cast-iron pans, one price. I stopped weighing boxes in the spring.',
      },
      {
        rating: 4,
        name: 'Priya S.',
        designation: 'Customer',
        example: true,
        text: 'One address was wrong. It named the row and what to change, and the rest went out.',
      },
    ] as Testimonial[],
    examples: 'Written by us as examples, until the first reviews are in.',
  },

  ready: {
    title: 'Ready to Ship Your Goods',
    text: 'An account takes a minute. You pay for labels and for nothing else.',
    start: 'Start Shipping Today',
  },

  footer: {
    community: 'Community chat',
    copyright: `© {{year}} ${PRODUCT}. All rights reserved.`,
  },
}
