// What a run changed of V8's flags. Kept code is good only for the flags that it was made with: those of a start.

const changes: (() => boolean)[] = []

/** Notes a change; `setBack` takes it back, and returns whether it could. */
export const flagChanged = (setBack: () => boolean): void => void changes.push(setBack)

/** Sets V8's flags as they were at the start; returns whether they are so. */
export const flagsSetBack = (): boolean => changes.splice(0).every((setBack) => setBack())
