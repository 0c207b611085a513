import { IconDeviceLaptop, IconDeviceMobile, IconHeadset } from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { endSessions, listDevices } from '#contract/accounts.ts'
import type { Device } from '#contract/accounts.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { messageOf, send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { Button } from '#web/ui/Button.tsx'
import { DotLine } from '#web/ui/DotLine.tsx'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { StatusPill } from '#web/ui/StatusPill.tsx'
import { toastError, toastSuccess } from '#web/ui/toasts.ts'
import { DateTime } from '#web/ui/Value.tsx'
import { Item, ItemHint, ItemList } from './ItemList.tsx'
import { SettingsRow } from './Settings.tsx'
import { texts } from './texts.ts'
import styles from './Account.module.css'

const SKELETON_ROWS = ['first', 'second']

export function Devices() {
  const { _id: userId } = useUser()
  const queryClient = useQueryClient()
  const queryKey = queryKeys.devices(userId)
  const { data, isError, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => send(listDevices, { params: { userId } }, { signal }),
  })
  /** The id of the device that is being signed out, or 'all'. */
  const [ending, setEnding] = useState<string | null>(null)
  const devices = data?.sessions
  const alone = devices !== undefined && devices.every(device => device.current)

  const end = async (device?: Device) => {
    if (ending !== null) return
    setEnding(device?._id ?? 'all')
    try {
      toastSuccess(
        (await send(endSessions, { params: { userId }, body: { sessionId: device?._id } })).message,
      )
    } catch (reason) {
      toastError(messageOf(reason, texts.devices.failed))
    } finally {
      // After a failure too: the device may have signed out meanwhile.
      await queryClient.invalidateQueries({ queryKey })
      setEnding(null)
    }
  }

  return (
    <SettingsRow title={texts.devices.title} text={texts.devices.explain} isRegion>
      {!devices && isError && (
        <LoadErrorNotice onRetry={() => void refetch()}>{texts.devices.none}</LoadErrorNotice>
      )}
      {!devices && !isError && (
        <div aria-busy="true">
          {SKELETON_ROWS.map(row => (
            <div key={row} className={styles.waiting}>
              <Skeleton width="60%" />
            </div>
          ))}
        </div>
      )}
      {devices && (
        <>
          <ItemList>
            {devices.map(device => (
              <DeviceRow
                key={device._id}
                device={device}
                busy={ending === device._id}
                onEnd={() => void end(device)}
              />
            ))}
          </ItemList>
          <Button
            className={styles.end}
            busy={ending === 'all'}
            disabledReason={alone ? texts.devices.onlyHere : null}
            onClick={() => void end()}
          >
            {texts.devices.endAll}
          </Button>
        </>
      )}
    </SettingsRow>
  )
}

function iconOf({ device, support }: Device): Icon {
  if (support) return IconHeadset
  return /iPhone|Android/.test(device) ? IconDeviceMobile : IconDeviceLaptop
}

function DeviceRow({ device, busy, onEnd }: { device: Device; busy: boolean; onEnd: () => void }) {
  const name = device.support ? texts.devices.support : device.device
  return (
    <Item
      icon={iconOf(device)}
      name={name}
      actions={
        device.current ? (
          <StatusPill tone="green">{texts.devices.here}</StatusPill>
        ) : (
          <Button busy={busy} aria-label={texts.devices.endThis(name)} onClick={onEnd}>
            {texts.devices.end}
          </Button>
        )
      }
    >
      <ItemHint>
        <DotLine
          parts={[
            !device.current && (
              <Fragment key="seen">
                {texts.devices.seen} <DateTime at={device.lastSeenAt} />
              </Fragment>
            ),
            <Fragment key="since">
              {texts.devices.since} <DateTime at={device.createdAt} />
            </Fragment>,
          ]}
        />
      </ItemHint>
    </Item>
  )
}
