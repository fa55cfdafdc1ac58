import { phoneText } from './format.ts'
import { Name } from './name.tsx'
import { nameText } from './name-text.ts'

type Props = { value: string; normalized: string | null; className: string | undefined }

/** Value in its normalized format, a phone number in groups, with the text as entered on hover. A value without a normalized form is shown as entered. */
export function NormalizedValue({ value, normalized, className }: Props) {
  const shown = normalized ?? value
  return (
    <span className={className} title={shown === value ? undefined : `As entered: ${nameText(value)}`}>
      <Name of={phoneText(shown)} />
    </span>
  )
}
