// A certificate that signs itself, for 127.0.0.1 and api.example.com until 2120, with its key: for tests of whom the client
// trusts.

export const certificate = `-----BEGIN CERTIFICATE-----
MIIBUDCB9qADAgECAgEBMAoGCCqGSM49BAMCMBUxEzARBgNVBAMMCnNoaXB4IHRl
c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBUxEzARBgNVBAMM
CnNoaXB4IHRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQdR9tYiQVHvsnl
ILLEbprATO/ChMjziXeo+LKiPpIOqDyYT4gcgNiAp8GYDaKZBp0pldhIv4TEBPGu
ogAucF9dozUwMzAgBgNVHREEGTAXhwR/AAABgg9hcGkuZXhhbXBsZS5jb20wDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEA8a4ITM0k5e2S6bw6IgsI
Yt8q/CeErpztvZkdWaslSoYCIQDTkaDyg5jb0zXkf479wXmjRYcYV7gVBs2fnFkM
PYoCkQ==
-----END CERTIFICATE-----
`

export const privateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgIXHyDDgBywIfbvWH
eZVIvwkCEald+jRj2S522Z1gsIehRANCAAQdR9tYiQVHvsnlILLEbprATO/ChMjz
iXeo+LKiPpIOqDyYT4gcgNiAp8GYDaKZBp0pldhIv4TEBPGuogAucF9d
-----END PRIVATE KEY-----
`
