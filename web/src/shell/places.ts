import { IconBellRinging, IconBug, IconFingerprint, IconRss, IconSettings, IconStopwatch, IconUrgent } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { Action } from './can.ts'
import { paths } from './paths.ts'
import { shellText } from './shell.text.ts'

export type Place = {
  id: string
  to: (typeof paths)['triage' | 'incidents' | 'iocs' | 'cves' | 'soc' | 'sources' | 'administration']
  label: string
  icon: ComponentType<{ size?: number; 'aria-hidden'?: boolean }>
  /** The letter after `g`. */
  letter: string
  /** What a reader must be allowed to do there; others see the place with the reason why it is closed. */
  needs?: Action
}

export type PlaceGroup = { id: string; label: string; places: readonly Place[] }

/** Every place that is built, in the order of the rail; a new screen adds its line here. */
export const PLACE_GROUPS: readonly PlaceGroup[] = [
  {
    id: 'work',
    label: shellText.groups.work,
    places: [
      { id: 'triage', to: paths.triage, label: shellText.places.triage, icon: IconBellRinging, letter: 't' },
      { id: 'incidents', to: paths.incidents, label: shellText.places.incidents, icon: IconUrgent, letter: 'i' },
    ],
  },
  {
    id: 'intelligence',
    label: shellText.groups.intelligence,
    places: [
      { id: 'iocs', to: paths.iocs, label: shellText.places.iocs, icon: IconFingerprint, letter: 'k' },
      { id: 'cves', to: paths.cves, label: shellText.places.cves, icon: IconBug, letter: 'v' },
    ],
  },
  {
    id: 'operate',
    label: shellText.groups.operate,
    places: [
      { id: 'soc', to: paths.soc, label: shellText.places.soc, icon: IconStopwatch, letter: 's' },
      { id: 'sources', to: paths.sources, label: shellText.places.sources, icon: IconRss, letter: 'f' },
      {
        id: 'administration',
        to: paths.administration,
        label: shellText.places.administration,
        icon: IconSettings,
        letter: 'x',
        needs: 'administration.open',
      },
    ],
  },
]

export const PLACES: readonly Place[] = PLACE_GROUPS.flatMap((group) => group.places)
