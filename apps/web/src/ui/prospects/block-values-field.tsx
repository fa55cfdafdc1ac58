import { Button, Checkbox } from '@mantine/core'
import { useId } from 'react'
import { sentenceOf } from '../api/api-problem.ts'
import { LoadingLines } from '../layout/states.tsx'
import { countWords } from '../text/count-words.ts'
import { phoneText } from '../text/format.ts'
import { Name } from '../text/name.tsx'
import classes from './block-values.module.css'
import { type BlockValue, type BlockValues, canBlock, isChosen, valueKey } from './block-values.ts'

type Props = {
  values: BlockValues
  /** Keys of the values that the person changed. */
  toggled: readonly string[]
  onToggled: (toggled: string[]) => void
  /** True while the form is sent. */
  isHeld: boolean
}

/** The values of a prospect, each with a checkbox that blocks it everywhere. */
export function BlockValuesField({ values, toggled, onToggled, isHeld }: Props) {
  const hint = useId()
  if (!values.canSuppress) return <p className={classes.hint}>The mark covers this record only.</p>
  if (values.isLoading) return <LoadingLines lines={2} label="Loading the addresses and numbers" />
  if (values.error !== null)
    return (
      <p role="alert" className={classes.failed}>
        The addresses and numbers of this prospect could not be loaded, so you can block only this record.{' '}
        {sentenceOf(values.error)}{' '}
        <Button size="compact-xs" variant="default" onClick={values.retry}>
          Try again
        </Button>
      </p>
    )
  if (values.items.length === 0)
    return (
      <p className={classes.hint}>
        The mark covers this record only, because the prospect has no address, number or domain.
      </p>
    )
  const toggle = (key: string) =>
    onToggled(toggled.includes(key) ? toggled.filter((one) => one !== key) : [...toggled, key])
  return (
    <fieldset className={classes.values} aria-describedby={hint}>
      <legend>Also block these values everywhere</legend>
      <p id={hint} className={classes.hint}>
        Every other prospect that has a chosen value is also marked do not contact, now and later.
        {!values.isComplete && ' Only some of the values are listed.'}
      </p>
      <div className={classes.list}>
        {values.items.map((value) => (
          <Checkbox
            key={valueKey(value)}
            label={<Name of={phoneText(value.normalized ?? value.value)} />}
            description={<Words value={value} />}
            checked={isChosen(value, toggled) || value.isSuppressed}
            disabled={!canBlock(value)}
            readOnly={isHeld}
            onChange={() => {
              if (!isHeld) toggle(valueKey(value))
            }}
          />
        ))}
      </div>
    </fieldset>
  )
}

const kinds: Record<BlockValue['kind'], string> = { email: 'Email', phone: 'Phone', domain: 'Domain' }

function Words({ value }: { value: BlockValue }) {
  const { kind, label, refusal, isSuppressed, others } = value
  return (
    <>
      {kinds[kind]}
      {label !== null && (
        <>
          , <Name of={label} />
        </>
      )}
      {isSuppressed && '. Already on the do-not-contact list'}
      {!isSuppressed && refusal !== null && `. ${refusal}`}
      {canBlock(value) && kind === 'domain' && '. Blocks every address and site at this domain'}
      {canBlock(value) && others > 0 && `. Also blocks ${countWords(others, 'other prospect', 'other prospects')}`}
    </>
  )
}
