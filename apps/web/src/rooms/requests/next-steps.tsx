import { Button } from '@mantine/core'
import type { Business, SubjectRequest } from '@prospect/api-client'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ActionButton } from '../../ui/actions/action-button.tsx'
import type { Action } from '../../ui/actions/actions.ts'
import { useCan, useSession } from '../../ui/api/session.ts'
import { useDialog } from '../../ui/dialogs/use-dialog.tsx'
import { inputLimits } from '../../ui/forms/input-limits.ts'
import { TitledSection } from '../../ui/layout/titled-section.tsx'
import type { OpenQuickDialog } from '../../ui/prospects/quick-keys.ts'
import { nameText } from '../../ui/text/name-text.ts'
import { HoldingDialog, ValueHoldingDialog } from './holding-dialog.tsx'
import type { HoldingAbout } from './holdings.queries.ts'
import classes from './requests.module.css'

type Props = {
  request: SubjectRequest
  /** undefined while it loads, if none is chosen, and after its erasure */
  prospect: Business | undefined
  openDialog: OpenQuickDialog
  edit: Action
}

/** The acts that carry a request out, with the places where they happen: dialogs and pages of other rooms. */
export function NextSteps(props: Props) {
  const { kind, business } = props.request
  if (business?.isErased === true) return <p>The prospect was erased. Tell the person, then record the answer here.</p>
  switch (kind) {
    case 'access':
      return <p>Collect everything held, read the file, and give it to the person. Then record the answer.</p>
    case 'source':
      return (
        <p>
          Collect everything held. The file starts with where each value is from. Tell the person, then record the
          answer.
        </p>
      )
    case 'correction':
      return <Correction {...props} />
    case 'objection':
      return <Objection {...props} />
    case 'erasure':
      return <Erasure {...props} />
  }
}

const Actions = ({ children }: { children: ReactNode }) => <div className={classes.actions}>{children}</div>

/** Offers to choose the prospect without which the request cannot be carried out. */
function ChooseProspect({ edit }: { edit: Action }) {
  return (
    <>
      <p>Find out which prospect the person means, and choose it here.</p>
      <Actions>
        <ActionButton action={{ ...edit, shortLabel: 'Choose the prospect' }} variant="default" />
      </Actions>
    </>
  )
}

/** Id of the record on which people act: the survivor, if the prospect was merged. */
const targetOf = ({ business }: SubjectRequest, prospect: Business | undefined) =>
  prospect?.mergedInto ?? business?.id ?? null

function Correction({ request, prospect, edit }: Props) {
  const canEdit = useCan('businesses.write')
  const businessId = targetOf(request, prospect)
  if (businessId === null) return <ChooseProspect edit={edit} />
  const linkTo = (tab: string, label: string) => (
    <Button
      variant="default"
      renderRoot={(props) => <Link {...props} to="/prospects/$businessId" params={{ businessId }} search={{ tab }} />}
    >
      {label}
    </Button>
  )
  return (
    <>
      <p>Correct the prospect. If its data are right, add the evidence for them. Then record the answer.</p>
      <Actions>
        {canEdit && linkTo('edit', 'Edit the prospect')}
        {linkTo('evidence', 'Evidence of the prospect')}
      </Actions>
    </>
  )
}

function Objection({ request, prospect, openDialog, edit }: Props) {
  const canBlock = useCan('businesses.block')
  const { contact, contactKind } = request.requester
  const businessId = targetOf(request, prospect)
  const isMarked = prospect?.doNotContact != null && prospect.doNotContact.through !== 'suppression'
  const lookUp = contact !== null && contactKind !== null && contact.length <= inputLimits.suppressionSearch && (
    <Button variant="default" renderRoot={(props) => <Link {...props} to="/suppression" search={{ q: contact }} />}>
      Find the contact on the do-not-contact list
    </Button>
  )
  if (businessId === null)
    return (
      <>
        <p>
          Add the address or number to the do-not-contact list. If the person means a prospect, choose it here and mark
          it as do not contact.
        </p>
        <Actions>
          {lookUp}
          <ActionButton action={{ ...edit, shortLabel: 'Choose the prospect' }} variant="default" />
        </Actions>
      </>
    )
  return (
    <>
      <p>
        {isMarked
          ? 'The prospect is marked do not contact. Block its addresses and numbers too, so that other prospects with them are not contacted. Then record the answer.'
          : 'Mark the prospect as do not contact. The same dialog can block its addresses and numbers, so that other prospects with them are not contacted. Then record the answer.'}
      </p>
      <Actions>
        {canBlock && (
          <Button variant="default" onClick={() => openDialog(businessId, 'block')}>
            {isMarked ? 'Block its values everywhere…' : 'Mark as do not contact…'}
          </Button>
        )}
        {lookUp}
      </Actions>
    </>
  )
}

function Erasure({ request, prospect, openDialog, edit }: Props) {
  const canErase = useCan('erasure.erase')
  const businessId = targetOf(request, prospect)
  if (businessId === null) return <ChooseProspect edit={edit} />
  return (
    <>
      <p>
        {canErase ? 'Erase the prospect permanently.' : 'Ask an administrator to erase the prospect permanently.'} The
        erasure also deletes the name, the contact and the texts of this request. Before that, note where to send your
        answer. After it, record the answer here.
      </p>
      {canErase && (
        <Actions>
          <Button color="red" variant="outline" onClick={() => openDialog(businessId, 'erase')}>
            Erase permanently…
          </Button>
        </Actions>
      )}
    </>
  )
}

/** Collects everything held about the prospect, about the contact of the person, or about another value. */
export function Collections({ request: { business, requester } }: { request: SubjectRequest }) {
  const canCollect = useCan('holdings.create')
  const { country } = useSession().tenant
  const collecting = useDialog<{ about: HoldingAbout; name: string }>()
  const asking = useDialog()
  if (!canCollect) return null
  const { contact, contactKind } = requester
  const ofContact = contact !== null &&
    contactKind !== null && {
      kind: contactKind,
      value: contact,
      ...(contactKind === 'phone' && { region: country }),
    }
  return (
    <TitledSection title="Everything held">
      <p>Makes one file of everything in this workspace about a prospect or a value, with where each value is from.</p>
      <Actions>
        {business !== null && !business.isErased && (
          <Button
            variant="default"
            onClick={() => collecting.open({ about: { businessId: business.id }, name: nameText(business.name) })}
          >
            About the prospect…
          </Button>
        )}
        {ofContact && (
          <Button
            variant="default"
            onClick={() => collecting.open({ about: ofContact, name: nameText(ofContact.value) })}
          >
            About the contact…
          </Button>
        )}
        <Button variant="default" onClick={() => asking.open()}>
          About another value…
        </Button>
      </Actions>
      {collecting.slot((opened, { close }) => (
        <HoldingDialog {...opened} close={close} />
      ))}
      {asking.slot((_, dialog) => (
        <ValueHoldingDialog {...dialog} />
      ))}
    </TitledSection>
  )
}
