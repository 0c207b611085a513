import { LANGUAGES } from './snippets.ts'
import { texts } from './texts.ts'
import styles from './Languages.module.css'

/** The language of the snippets. It stands in the header, on phones above the text: `group` tells the two apart. */
export function Languages({ group }: { group: string }) {
  return (
    <fieldset className={styles.languages}>
      <legend className="visually-hidden">{texts.language}</legend>
      {LANGUAGES.map(({ id }) => (
        <label key={id}>
          <input
            type="radio"
            name={group}
            value={id}
            defaultChecked={id === 'curl'}
            data-language-choice=""
          />
          {texts.languages[id]}
        </label>
      ))}
    </fieldset>
  )
}
