type Group = { open: boolean }

/**
 * Opens the group of the contents that the reader has come to, and closes the one opened before it. Groups that the reader opened stay
 * open, and one that they closed stays closed until they come to it again. `first`: the group that is open at first. Pure but for `open`.
 */
export function createGroupFollower<One extends Group>(first?: One): (group?: One) => void {
  let opened = first
  let current = first
  return group => {
    if (group === current) return
    if (opened) opened.open = false
    opened = group && !group.open ? group : undefined
    if (opened) opened.open = true
    current = group
  }
}
