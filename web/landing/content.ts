/**
 * All texts of the landing page but its footer's (shell/texts.ts); operators edit them here. `{{price}}` and the like are
 * filled in when the page is served: `{{heaviest}}` is the weight in lb up to which that price holds (contract/page-template.ts).
 */
import { PRODUCT } from '#contract/product.ts'

/** `rating` is out of 5, in halves. `example`: not written by a customer; the page says so while there is one. */
type Testimonial = {
  rating: number
  text: string
  name: string
  designation: string
  example: boolean
}
type TitledText = { title: string; text: string }

export const content = {
  title: `${PRODUCT}: shipping labels at one price, any weight`,
  description:
    'Prepaid shipping labels at one price, any weight. Buy one in seconds or thousands from a file. Pay with Bitcoin.',
  pictureText: `Two sample labels, of a feather and of an anvil, next to the words: A feather. An anvil. Same price. ${PRODUCT}.`,

  header: {
    name: 'Sections',
    open: 'Show sections',
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
    headline: ['A feather.', 'An anvil.', 'Same price.'],
    text: 'Light or heavy, every label costs the same. Fill in one form or upload a whole day of orders, then print.',
    start: 'Get Started',
    pricing: 'See pricing',
    facts: [
      { title: '98%', text: 'satisfaction guarantee' },
      { title: '30 days', text: 'money-back guarantee' },
      { title: '24/7', text: 'support, every day' },
    ] satisfies TitledText[],
    feather: { weight: '1 lb', plain: 'Feather' },
    anvil: { weight: '{{heaviest}} lb', plain: 'Anvil' },
    art: 'Two sample labels, one for 1 lb and one for {{heaviest}} lb.',
    artPrice: 'Both cost {{price}}.',
    equation: '1 lb = {{heaviest}} lb',
    equationText: 'any weight, one price',
  },

  how: {
    title: 'How It Works',
    text: 'Three steps from an address to a label on the box.',
    steps: [
      {
        title: 'Top up your balance',
        text: 'Pay a Bitcoin invoice of any amount. It is in your balance as soon as the payment is confirmed.',
      },
      {
        title: 'Enter or upload',
        text: 'Fill in one form, or upload a CSV or your marketplace’s order export. We check every row before you buy.',
      },
      {
        title: 'Print and ship',
        text: 'Get all labels in one PDF, tracking numbers in one file, and a shipping confirmation for your marketplace.',
      },
    ] satisfies TitledText[],
  },

  /** What the pictures of the steps show. Their rows are samples. */
  pictures: {
    ticket: 'The balance with the button Pay with Bitcoin.',
    balance: '$100.00',
    enough: 'Enough for about {{hundred}} labels at {{price}}',
    table: 'Three rows of an uploaded file. One ZIP is red, with the remedy below it.',
    columns: ['Name', 'City', 'ZIP', 'Price'],
    rows: [
      { name: 'June Rivera', city: 'Fresno', state: 'CA', zip: '93701' },
      { name: 'Ana Vance', city: 'Portland', state: 'ME', zip: '4101' },
      { name: 'Theo Marsh', city: 'Tucson', state: 'AZ', zip: '85701' },
    ],
    noPrice: '–',
    ready: '✓',
    labels: 'A fan of sample labels.',
  },

  why: {
    title: 'Why Choose Us',
    text: 'For people with parcels to ship and better things to do.',
    main: {
      title: 'Full automation',
      text:
        'Upload a file and watch it run: checked, priced, bought, printed. One bad row never stops the rest, '
        + 'and you are not charged for it.',
    },
    side: {
      title: 'Overnight labels',
      text: 'Order tonight. Your labels are ready before the morning pickup.',
      night: ['Order tonight', 'Labels ready', 'Morning pickup'],
    },
    /** In the picture of the first of these. */
    greetings: ['Hello', 'Hola', 'Bonjour'],
    cells: [
      {
        title: 'Multilingual support',
        text: 'Get help in your language, 24/7.',
      },
      {
        title: 'Lower rates with Bitcoin',
        text: 'Bitcoin is our main way to pay. It costs us less, so your labels cost less.',
      },
      {
        title: 'Loyalty pays',
        text: 'Loyal customers get exclusive discounts: their own prices on every label.',
      },
    ] satisfies TitledText[],
  },

  pricing: {
    title: 'Clear Pricing No Hidden Fees',
    claim: 'A {{heaviest}}lb label costs the same as a {{light}}lb one.',
    text: 'The price you see before you buy is exactly what you pay.',
    price: 'a label, from 1 to {{heaviest}} lb',
    plainPrice: 'a label',
    points: [
      'Same price at any weight',
      'No charge for labels that fail',
      '30-day money-back guarantee',
    ],
    chart: `Price by weight. With ${PRODUCT} a label costs {{price}} at every weight from 1 lb to {{heaviest}} lb.`,
    chartOther: '{{name}}: {{firstPrice}} for 1 lb, {{lastPrice}} for {{upTo}} lb.',
    slider: 'Weight in pounds',
    parcel: '{{heaviest}} lb · {{price}}',
    source: 'Source: {{source}}',
  },

  faq: {
    title: 'Frequently Asked Questions',
    entries: [
      {
        title: 'How do I pay for labels?',
        text:
          'You keep a prepaid balance. Top it up with Bitcoin, our main payment method and the reason our rates are low. Each label '
          + 'is charged to your balance at the price you saw.',
      },
      {
        title: 'How do I order many labels at once?',
        text:
          'Upload a CSV based on our template, or your marketplace’s tab-delimited order export as is. We check every row first, and '
          + 'you can fix mistakes in the table before you buy.',
      },
      {
        title: 'What if I am not satisfied?',
        text:
          'If a label can’t be created, the money goes straight back to your balance. Beyond that, you have our 98% satisfaction '
          + 'guarantee and 30 days to ask for your money back.',
        hasRefundLink: true,
      },
    ] satisfies (TitledText & { hasRefundLink?: true })[],
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
        text: 'We used to type labels until the evening. Now we upload the export, and the printer is the slow part.',
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
        text: 'One address was wrong. It told me which row and what to fix, and the rest went out.',
      },
    ] as Testimonial[],
    examples: 'Sample reviews, written by us. Real ones will appear here.',
  },

  ready: {
    title: 'Ready to Ship Your Goods',
    text: 'Signing up takes a minute. You pay only for labels.',
    start: 'Start Shipping Today',
  },
}
