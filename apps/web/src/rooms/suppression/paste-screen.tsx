import { Button, Checkbox, Group, Textarea, Title } from '@mantine/core'
import type { SuppressionBatchLine, SuppressionPreviewLine } from '@prospect/api-client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { isProblem, sentenceOf } from '../../ui/api-problem.ts'
import { formErrors } from '../../ui/form-errors.ts'
import { formatNumber } from '../../ui/format.ts'
import { useIdempotencyKey } from '../../ui/idempotency.ts'
import { useCan } from '../../ui/session.ts'
import { NoPermission } from '../../ui/states.tsx'
import { useDraft } from '../../ui/use-draft.ts'
import { emptyProvenance, ProvenanceFields, provenanceOf } from './provenance-fields.tsx'
import classes from './suppression.module.css'
import { addBatch, type Pasted, previewBatch, refreshAll } from './suppression.queries.ts'
import { countWords, kindWords } from './suppression-words.ts'

const MAX_LINES = 1_000

/** Many at once: first what each line would do, then, with one provenance for all, what each line did. */
export function PasteScreen() {
  const canAdd = useCan('suppression.add')
  return (
    <div className={classes.page}>
      <title>Paste entries · Prospect Platform</title>
      <Link to="/suppression" className={classes.back}>
        Suppression
      </Link>
      <Title order={1}>Paste many entries</Title>
      {canAdd ? <Paste /> : <NoPermission to="suppress anybody" />}
    </div>
  )
}

function Paste() {
  const queryClient = useQueryClient()
  const draft = useDraft<string>('suppression-paste', (kept) => (typeof kept === 'string' ? kept : null))
  const [text, setText] = useState(draft.restored?.value ?? '')
  const [isLocal, setLocal] = useState(true)
  const [withSubdomains, setWithSubdomains] = useState(false)
  const [provenance, setProvenance] = useState(emptyProvenance)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const { keyFor, done } = useIdempotencyKey()
  const pasted = pastedOf(text, isLocal, withSubdomains)
  const tooMany = pasted.lines.length > MAX_LINES

  const input = useRef<HTMLTextAreaElement>(null)
  const preview = useMutation({ mutationFn: previewBatch, onError: () => input.current?.focus() })
  const add = useMutation({
    mutationFn: () => {
      const body = { ...pasted, ...provenanceOf(provenance) }
      return addBatch(body, keyFor(body))
    },
    onSuccess: () => {
      done()
      draft.clear()
      void refreshAll(queryClient)
    },
    onError: (error) => isProblem(error) && setErrors(formErrors(error, () => true).fields),
  })
  // What was shown no longer stands for what would be sent.
  const change = (apply: () => void) => {
    apply()
    preview.reset()
    add.reset()
  }
  const start = () => {
    if (provenance.reason.trim() === '') return setErrors({ reason: 'Say why. The reason stays with every entry.' })
    setErrors({})
    add.mutate()
  }
  const wanted = preview.data?.items.filter(({ outcome }) => outcome === 'would_add').length ?? 0

  if (add.data !== undefined) {
    const { added, marked, items } = add.data
    return (
      <>
        <p role="status" className={classes.lead}>
          {countWords(added, 'entry was', 'entries were')} added; {countWords(marked, 'mark was', 'marks were')} set on
          records.
        </p>
        <LineTable lines={items} />
        <Group mt="md">
          <Button
            variant="default"
            onClick={() =>
              change(() => {
                setText('')
                setProvenance(emptyProvenance)
              })
            }
          >
            Paste more
          </Button>
        </Group>
      </>
    )
  }
  return (
    <>
      <p className={classes.lead}>
        One address, number or domain a line, at most {formatNumber(MAX_LINES)}. Nothing is stored before you have seen
        what each line would do.
      </p>
      <Textarea
        ref={input}
        label="Lines"
        autosize
        minRows={6}
        maxRows={16}
        spellCheck={false}
        value={text}
        error={
          tooMany
            ? `These are ${formatNumber(pasted.lines.length)} lines. Paste them in parts.`
            : lineError(preview.error)
        }
        onChange={(event) => {
          const { value } = event.currentTarget
          change(() => setText(value))
          draft.keep(value)
        }}
      />
      <Group gap="lg" my="sm">
        <Checkbox
          label="Numbers in local form are South African"
          checked={isLocal}
          onChange={(event) => {
            const { checked } = event.currentTarget
            change(() => setLocal(checked))
          }}
        />
        <Checkbox
          label="Domains with every domain below them"
          checked={withSubdomains}
          onChange={(event) => {
            const { checked } = event.currentTarget
            change(() => setWithSubdomains(checked))
          }}
        />
      </Group>
      <Button
        variant="default"
        loading={preview.isPending}
        disabled={text.trim() === '' || tooMany}
        onClick={() => preview.mutate(pasted)}
      >
        Show what would happen
      </Button>
      {preview.data !== undefined && (
        <>
          <h2 className={classes.part}>What would happen</h2>
          <LineTable lines={preview.data.items} />
          {wanted > 0 && (
            <div className={classes.narrow}>
              <h2 className={classes.part}>For all of them</h2>
              <ProvenanceFields value={provenance} errors={errors} onChange={setProvenance} />
              {add.isError && Object.keys(errors).length === 0 && (
                <p role="alert" className="pp-refusal">
                  {sentenceOf(add.error)}
                </p>
              )}
              <Button mt="md" color="red" loading={add.isPending} onClick={start}>
                Suppress {countWords(wanted, 'line', 'lines')}
              </Button>
            </div>
          )}
        </>
      )}
    </>
  )
}

const outcomeWords: Record<SuppressionPreviewLine['outcome'] | SuppressionBatchLine['outcome'], string> = {
  would_add: 'Would be added',
  stands_already: 'Stands already',
  added: 'Added',
  stood_already: 'Stood already; asked for again',
  repeated: 'Repeated',
  refused: 'Refused',
  empty: 'Empty',
}

function LineTable({ lines }: { lines: readonly (SuppressionPreviewLine | SuppressionBatchLine)[] }) {
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">Line</th>
          <th scope="col">As pasted</th>
          <th scope="col">Read as</th>
          <th scope="col">Outcome</th>
          <th scope="col">Records</th>
        </tr>
      </thead>
      <tbody>
        {lines
          .filter(({ outcome }) => outcome !== 'empty')
          .map((line) => (
            <tr key={line.line} data-refused={line.outcome === 'refused' || undefined}>
              <td className={classes.number}>{line.line}</td>
              <td className={classes.value}>{line.text}</td>
              <td>
                {line.kind !== null && line.outcome !== 'refused' && (
                  <>
                    {kindWords[line.kind]}
                    <span className={classes.soft}>{line.normalized}</span>
                  </>
                )}
              </td>
              <td>
                {'suppressionId' in line && line.suppressionId !== null ? (
                  <Link to="/suppression/$suppressionId" params={{ suppressionId: line.suppressionId }}>
                    {outcomeWords[line.outcome]}
                  </Link>
                ) : (
                  outcomeWords[line.outcome]
                )}
                {line.message !== null && <span className={classes.soft}>{line.message}</span>}
              </td>
              <td className={classes.number}>{recordsOf(line)}</td>
            </tr>
          ))}
      </tbody>
    </table>
  )
}

function recordsOf(line: SuppressionPreviewLine | SuppressionBatchLine): string {
  const records = 'records' in line ? line.records : line.marked
  if (records === null) return ''
  return records >= 1_000 && 'records' in line ? '1,000 or more' : formatNumber(records)
}

function pastedOf(text: string, isLocal: boolean, withSubdomains: boolean): Pasted {
  return {
    lines: text.replace(/\s+$/, '').split(/\r?\n/),
    region: isLocal ? 'ZA' : null,
    domainScope: withSubdomains ? 'with_subdomains' : 'exact',
  }
}

/** By the number that a person counts: the server names a line by its place in what was sent, from 0. */
function lineError(error: unknown): string | null {
  if (error === null) return null
  if (!isProblem(error) || error.errors.length === 0) return sentenceOf(error)
  return error.errors
    .map(({ path, message }) => {
      const [, place] = path.split('.')
      return place === undefined ? message : `Line ${formatNumber(Number(place) + 1)}: ${message}`
    })
    .join(' ')
}
