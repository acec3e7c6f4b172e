const { startPostgres } = await import('/work/main/test/postgres.ts')
const t = async <T>(name: string, f: () => Promise<T>) => { const a = performance.now(); const r = await f(); console.log(name, Math.round(performance.now()-a)); return r }
const db = await t('startPostgres', () => startPostgres())
for (let i=0;i<4;i++) { 
const s = await t('standby', () => db.standby())
if (i&1) await t('caughtUp', () => s.caughtUp())
await t('standby close', () => s.close())
}
await t('close', () => db.close())
