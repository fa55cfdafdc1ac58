import { Link } from '@tanstack/react-router'
import { currentActions, type RunnableAction } from '../../ui/actions/actions.ts'
import { useSingleKeys } from '../../ui/actions/use-single-keys.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { KeyCaps } from './key-caps.tsx'
import { isOfSingleKeys } from './key-sequence.ts'
import classes from './keys.module.css'

/** Dialog with every shortcut that works on the current screen. */
export function ShortcutList({ close }: { close: () => void }) {
  const [hasSingleKeys] = useSingleKeys()
  const profile = (
    <Link to="/profile" onClick={close}>
      profile
    </Link>
  )
  return (
    <Dialog onClose={close} title="Shortcuts" size="lg">
      <p className="pp-quiet">
        Shortcuts do not work in text fields. <KeyCaps keys="Escape" /> leaves the field and keeps your text.{' '}
        {hasSingleKeys ? (
          <>Single-key shortcuts can be turned off in your {profile}.</>
        ) : (
          <>Single-key shortcuts are off. Turn them on in your {profile}.</>
        )}
      </p>
      <div className={classes.list}>
        {shortcutGroups(hasSingleKeys).map(([group, actions]) => (
          <section key={group} className={classes.group}>
            <h3>{group}</h3>
            <dl>
              {actions.map((action) => (
                <div key={action.id} className={classes.line}>
                  <dt>{action.label}</dt>
                  <dd>
                    <KeyCaps keys={action.keys ?? ''} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}

function shortcutGroups(hasSingleKeys: boolean): [string, RunnableAction[]][] {
  const taken = new Set<string>()
  const groups = new Map<string, RunnableAction[]>()
  for (const action of currentActions()) {
    if (action.keys === undefined || taken.has(action.keys)) continue
    if (!hasSingleKeys && isOfSingleKeys(action.keys)) continue
    taken.add(action.keys)
    groups.set(action.group, [...(groups.get(action.group) ?? []), action])
  }
  return [...groups]
}
