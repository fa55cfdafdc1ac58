import { Link } from '@tanstack/react-router'
import { type Command, currentCommands } from '../../ui/commands/commands.ts'
import { useSingleKeys } from '../../ui/commands/use-single-keys.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { KeyCaps } from './key-caps.tsx'
import { isOfSingleKeys } from './key-sequence.ts'
import classes from './keys.module.css'

/** Every shortcut that works where the person is now. */
export function ShortcutList({ close }: { close: () => void }) {
  const [hasSingleKeys] = useSingleKeys()
  const profile = (
    <Link to="/profile" onClick={close}>
      profile
    </Link>
  )
  return (
    <Dialog opened onClose={close} title="Shortcuts" size="lg">
      <p className="pp-quiet">
        They rest while you type: <KeyCaps keys="Escape" /> leaves the field, and what you typed stays.{' '}
        {hasSingleKeys ? (
          <>Those of single letters and signs can be switched off in your {profile}.</>
        ) : (
          <>Those of single letters and signs are off; they are switched on in your {profile}.</>
        )}
      </p>
      <div className={classes.list}>
        {shortcutGroups(hasSingleKeys).map(([group, commands]) => (
          <section key={group} className={classes.group}>
            <h3>{group}</h3>
            <dl>
              {commands.map((command) => (
                <div key={command.id} className={classes.line}>
                  <dt>{command.label}</dt>
                  <dd>
                    <KeyCaps keys={command.keys ?? ''} />
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

function shortcutGroups(hasSingleKeys: boolean): [string, Command[]][] {
  const taken = new Set<string>()
  const groups = new Map<string, Command[]>()
  for (const command of currentCommands()) {
    if (command.keys === undefined || taken.has(command.keys)) continue
    if (!hasSingleKeys && isOfSingleKeys(command.keys)) continue
    taken.add(command.keys)
    groups.set(command.group, [...(groups.get(command.group) ?? []), command])
  }
  return [...groups]
}
