import { Modal, type ModalRootProps } from '@mantine/core'
import { useDidUpdate, useFocusReturn } from '@mantine/hooks'
import {
  createContext,
  type ReactNode,
  type RefObject,
  useContext,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { noteDialogClosed } from '../actions/key-rest.ts'
import { isFocusLost } from '../focus/lost-focus.ts'

type Options = Pick<
  ModalRootProps,
  'size' | 'yOffset' | 'padding' | 'transitionProps' | 'closeOnClickOutside' | 'closeOnEscape'
>

type Slot = { show: (options: Options | null) => void; onClose: RefObject<() => void> }

const SlotContext = createContext<Slot | null>(null)

/**
 * Slot in which dialogs open; screens use it through `useDialog`. It stays mounted and is open while its child renders a dialog. On close the focus
 * returns to the opener, unless another element has taken it. Escape in an overlay above (`InertBackground`) does not close the
 * dialog.
 */
export function DialogSlot({ children }: { children: ReactNode }) {
  const [shown, show] = useState<Options | null>(null)
  const root = useRef<HTMLDivElement>(null)
  const onClose = useRef<() => void>(() => undefined)
  const slot = useMemo(() => ({ show, onClose }), [])
  const isOpen = shown !== null
  // Mantine's own focus return is off: it would also take the focus from an element that received it while the dialog closed.
  const returnFocus = useFocusReturn({ opened: isOpen, shouldReturnFocus: false })
  useDidUpdate(() => {
    if (isOpen) return
    noteDialogClosed()
    if (isFocusLost()) returnFocus()
  }, [isOpen])
  return (
    <SlotContext value={slot}>
      <Modal.Root
        ref={root}
        opened={isOpen}
        returnFocus={false}
        onClose={() => root.current?.closest('[inert]') === null && onClose.current()}
        {...shown}
      >
        {children}
      </Modal.Root>
    </SlotContext>
  )
}

/** Keeps the surrounding slot open while the caller is mounted. The caller renders `Modal.Overlay` and `Modal.Content`. */
export function useDialogSlot(onClose: () => void, options: Options = {}): void {
  const slot = useContext(SlotContext)
  if (slot === null) throw new Error('A dialog opens only inside a DialogSlot.')
  useLayoutEffect(() => {
    slot.onClose.current = onClose
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the options of one dialog do not change
  useLayoutEffect(() => {
    slot.show(options)
    return () => slot.show(null)
  }, [slot])
}
