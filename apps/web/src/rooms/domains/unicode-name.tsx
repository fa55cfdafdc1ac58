import { Fragment } from 'react'
import { scriptOf } from './domain-words.ts'
import classes from './domains.module.css'

/** Domain name in Unicode. Letters of other scripts are highlighted, and their scripts are named after it. */
export function UnicodeName({ of }: { of: string }) {
  const letters = [...of].map((letter, at) => ({ letter, script: scriptOf(letter), key: `${at}${letter}` }))
  const scripts = [...new Set(letters.flatMap(({ script }) => script ?? []))]
  return (
    <>
      {letters.map(({ letter, script, key }) =>
        script === null ? (
          <Fragment key={key}>{letter}</Fragment>
        ) : (
          <mark key={key} className={classes.foreign} title={script}>
            {letter}
          </mark>
        ),
      )}
      {scripts.length > 0 && <span className={classes.soft}>Letters of {scripts.join(', ')}</span>}
    </>
  )
}
