import { Modal } from '@mantine/core'
import { KeyHint } from '../ui/key-hint.tsx'
import { shellText } from './shell.text.ts'
import classes from './shortcut-sheet.module.css'

/** All keys on one sheet, on `?`. */
export function ShortcutSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Modal opened={open} onClose={onClose} title={shellText.shortcuts} size={680} closeButtonProps={{ 'aria-label': shellText.close }}>
      <div className={classes['groups']}>
        {shellText.shortcutGroups.map((group) => (
          <section key={group.title}>
            <h3 className={classes['title']}>{group.title}</h3>
            <dl className={classes['list']}>
              {group.keys.map((entry) => (
                <div key={entry.keys} className={classes['entry']}>
                  <dt className={classes['keys']}>
                    <KeyHint keys={entry.keys} />
                  </dt>
                  <dd className={classes['does']}>{entry.does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  )
}
