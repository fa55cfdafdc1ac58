import { keyCaps } from './key-sequence.ts'
import classes from './keys.module.css'

const isMac = /mac|iphone|ipad/i.test(navigator.userAgent)

export function KeyCaps({ keys }: { keys: string }) {
  return (
    <span className={classes.caps}>
      {keyCaps(keys, isMac).map((cap, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the keys of one shortcut never change their order
        <kbd key={index} className={classes.cap}>
          {cap}
        </kbd>
      ))}
    </span>
  )
}
