;; Proves that lines are JSON objects (src/client/lineproof.ts). `npm run generate` makes lineproof.data.ts of it.
;;
;; The memory holds what each open value ends with (bytes 0 to 1023), and then the lines, UTF-8 with a 0 behind them.
;; No part of an object is a 0, so everything here stops there. A place is an address in it; 0 means "not proven".
;; Numbers are ASCII: 0x22 is ", 0x2c a comma, 0x3a a colon, 0x5b and 0x5d [ and ], 0x5c \, 0x7b and 0x7d { and }.
(module
  (memory (export "memory") 4)
  ;; How many lines the last call proved.
  (global $count (export "count") (mut i32) (i32.const 0))
  (global $deepest i32 (i32.const 500))
  (global $longest i32 (i32.const 65536))

  ;; The place after white space within a line.
  (func $space (param $at i32) (result i32)
    (local $code i32)
    (loop $next
      (local.set $code (i32.load8_u (local.get $at)))
      (if (i32.or
            (i32.eq (local.get $code) (i32.const 0x20))
            (i32.or (i32.eq (local.get $code) (i32.const 0x09)) (i32.eq (local.get $code) (i32.const 0x0d))))
        (then
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br $next))))
    (local.get $at))

  (func $isHex (param $code i32) (result i32)
    (i32.or
      (i32.lt_u (i32.sub (local.get $code) (i32.const 0x30)) (i32.const 10))
      (i32.lt_u (i32.sub (i32.or (local.get $code) (i32.const 0x20)) (i32.const 0x61)) (i32.const 6))))

  ;; The place after an escape whose backslash is at `at`.
  (func $escape (param $at i32) (result i32)
    (local $code i32)
    (local.set $code (i32.load8_u offset=1 (local.get $at)))
    (if (i32.eq (local.get $code) (i32.const 0x75)) ;; u and four digits
      (then
        (return
          (select
            (i32.add (local.get $at) (i32.const 6))
            (i32.const 0)
            (i32.and
              (i32.and
                (call $isHex (i32.load8_u offset=2 (local.get $at)))
                (call $isHex (i32.load8_u offset=3 (local.get $at))))
              (i32.and
                (call $isHex (i32.load8_u offset=4 (local.get $at)))
                (call $isHex (i32.load8_u offset=5 (local.get $at)))))))))
    (select
      (i32.add (local.get $at) (i32.const 2))
      (i32.const 0)
      (i32.or
        (i32.or
          (i32.or (i32.eq (local.get $code) (i32.const 0x22)) (i32.eq (local.get $code) (i32.const 0x5c)))
          (i32.or (i32.eq (local.get $code) (i32.const 0x2f)) (i32.eq (local.get $code) (i32.const 0x62))))
        (i32.or
          (i32.or (i32.eq (local.get $code) (i32.const 0x66)) (i32.eq (local.get $code) (i32.const 0x6e)))
          (i32.or (i32.eq (local.get $code) (i32.const 0x72)) (i32.eq (local.get $code) (i32.const 0x74)))))))

  ;; The place after a string whose first quote is at `at`: 16 bytes at a time, up to a quote, a backslash or a control.
  (func $string (param $at i32) (result i32)
    (local $bytes v128)
    (local $stops i32)
    (local $code i32)
    (local.set $at (i32.add (local.get $at) (i32.const 1)))
    (loop $next
      (local.set $bytes (v128.load align=1 (local.get $at)))
      (local.set $stops
        (i8x16.bitmask
          (v128.or
            (v128.or
              (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x22)))
              (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x5c))))
            (i8x16.lt_u (local.get $bytes) (i8x16.splat (i32.const 0x20))))))
      (if (i32.eqz (local.get $stops))
        (then
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br $next)))
      (local.set $at (i32.add (local.get $at) (i32.ctz (local.get $stops))))
      (local.set $code (i32.load8_u (local.get $at)))
      (if (i32.eq (local.get $code) (i32.const 0x22)) (then (return (i32.add (local.get $at) (i32.const 1)))))
      (if (i32.ne (local.get $code) (i32.const 0x5c)) (then (return (i32.const 0))))
      (local.set $at (call $escape (local.get $at)))
      (br_if $next (local.get $at)))
    (i32.const 0))

  ;; The place after some digits; 0 without any.
  (func $digits (param $from i32) (result i32)
    (local $at i32)
    (local.set $at (local.get $from))
    (loop $next
      (if (i32.lt_u (i32.sub (i32.load8_u (local.get $at)) (i32.const 0x30)) (i32.const 10))
        (then
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br $next))))
    (select (local.get $at) (i32.const 0) (i32.ne (local.get $at) (local.get $from))))

  (func $number (param $at i32) (result i32)
    (local $sign i32)
    (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x2d))
      (then (local.set $at (i32.add (local.get $at) (i32.const 1)))))
    ;; Nothing follows a leading 0 but a point or an exponent.
    (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x30))
      (then (local.set $at (i32.add (local.get $at) (i32.const 1))))
      (else (local.set $at (call $digits (local.get $at)))))
    (if (i32.eqz (local.get $at)) (then (return (i32.const 0))))
    (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x2e))
      (then
        (local.set $at (call $digits (i32.add (local.get $at) (i32.const 1))))
        (if (i32.eqz (local.get $at)) (then (return (i32.const 0))))))
    (if (i32.ne (i32.or (i32.load8_u (local.get $at)) (i32.const 0x20)) (i32.const 0x65))
      (then (return (local.get $at))))
    (local.set $sign (i32.load8_u offset=1 (local.get $at)))
    (call $digits
      (i32.add
        (local.get $at)
        (select
          (i32.const 2)
          (i32.const 1)
          (i32.or (i32.eq (local.get $sign) (i32.const 0x2b)) (i32.eq (local.get $sign) (i32.const 0x2d)))))))

  ;; The place after a value that is a number, true, false or null.
  (func $plain (param $at i32) (param $code i32) (result i32)
    (if (i32.eq (local.get $code) (i32.const 0x6e)) ;; null
      (then
        (return
          (select
            (i32.add (local.get $at) (i32.const 4))
            (i32.const 0)
            (i32.eq (i32.load align=1 (local.get $at)) (i32.const 0x6c6c756e))))))
    (if (i32.eq (local.get $code) (i32.const 0x74)) ;; true
      (then
        (return
          (select
            (i32.add (local.get $at) (i32.const 4))
            (i32.const 0)
            (i32.eq (i32.load align=1 (local.get $at)) (i32.const 0x65757274))))))
    (if (i32.eq (local.get $code) (i32.const 0x66)) ;; false
      (then
        (return
          (select
            (i32.add (local.get $at) (i32.const 5))
            (i32.const 0)
            (i32.eq (i32.load offset=1 align=1 (local.get $at)) (i32.const 0x65736c61))))))
    (call $number (local.get $at)))

  ;; The place of the value after a key that begins at `at`.
  (func $key (param $at i32) (result i32)
    (if (i32.ne (i32.load8_u (local.get $at)) (i32.const 0x22)) (then (return (i32.const 0))))
    (local.set $at (call $string (local.get $at)))
    (if (i32.eqz (local.get $at)) (then (return (i32.const 0))))
    (if (i32.ne (i32.load8_u (local.get $at)) (i32.const 0x3a))
      (then
        (local.set $at (call $space (local.get $at)))
        (if (i32.ne (i32.load8_u (local.get $at)) (i32.const 0x3a)) (then (return (i32.const 0))))))
    (local.set $at (i32.add (local.get $at) (i32.const 1)))
    (if (i32.le_u (i32.load8_u (local.get $at)) (i32.const 0x20))
      (then (local.set $at (call $space (local.get $at)))))
    (local.get $at))

  ;; The place after an object that begins at `at`.
  (func $object (param $at i32) (result i32)
    (local $depth i32)
    (local $code i32)
    ;; What the innermost open value ends with; those around it are in memory.
    (local $closer i32)
    (loop $value
      (local.set $code (i32.load8_u (local.get $at)))
      (if (i32.eq (local.get $code) (i32.const 0x22))
        (then (local.set $at (call $string (local.get $at))))
        (else
          (if (i32.eq (i32.or (local.get $code) (i32.const 0x20)) (i32.const 0x7b)) ;; { or [
            (then
              (if (i32.eq (local.get $depth) (global.get $deepest)) (then (return (i32.const 0))))
              (i32.store8 (local.get $depth) (local.get $closer))
              (local.set $depth (i32.add (local.get $depth) (i32.const 1)))
              (local.set $closer (i32.add (local.get $code) (i32.const 2)))
              (local.set $at (i32.add (local.get $at) (i32.const 1)))
              (if (i32.le_u (i32.load8_u (local.get $at)) (i32.const 0x20))
                (then (local.set $at (call $space (local.get $at)))))
              ;; Not empty: its first value comes.
              (if (i32.ne (i32.load8_u (local.get $at)) (local.get $closer))
                (then
                  (if (i32.eq (local.get $closer) (i32.const 0x7d))
                    (then
                      (local.set $at (call $key (local.get $at)))
                      (if (i32.eqz (local.get $at)) (then (return (i32.const 0))))))
                  (br $value))))
            (else (local.set $at (call $plain (local.get $at) (local.get $code)))))))
      (if (i32.eqz (local.get $at)) (then (return (i32.const 0))))
      ;; A value has ended, and with it perhaps those around it.
      (loop $end
        (local.set $code (i32.load8_u (local.get $at)))
        (if (i32.le_u (local.get $code) (i32.const 0x20))
          (then
            (local.set $at (call $space (local.get $at)))
            (local.set $code (i32.load8_u (local.get $at)))))
        (if (i32.ne (local.get $code) (i32.const 0x2c))
          (then
            (if (i32.ne (local.get $code) (local.get $closer)) (then (return (i32.const 0))))
            (local.set $at (i32.add (local.get $at) (i32.const 1)))
            (local.set $depth (i32.sub (local.get $depth) (i32.const 1)))
            (local.set $closer (i32.load8_u (local.get $depth)))
            (br_if $end (local.get $depth))
            (return (local.get $at)))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (if (i32.le_u (i32.load8_u (local.get $at)) (i32.const 0x20))
        (then (local.set $at (call $space (local.get $at)))))
      (if (i32.eq (local.get $closer) (i32.const 0x7d))
        (then
          (local.set $at (call $key (local.get $at)))
          (if (i32.eqz (local.get $at)) (then (return (i32.const 0))))))
      (br $value))
    (unreachable))

  ;; The place after the last line that is proven, from `at` on. Lines end with a line break.
  (func (export "prove") (param $at i32) (result i32)
    (local $end i32)
    (local $lines i32)
    (block $stop
      (loop $line
        (br_if $stop (i32.ne (i32.load8_u (local.get $at)) (i32.const 0x7b)))
        (local.set $end (call $object (local.get $at)))
        (br_if $stop (i32.eqz (local.get $end)))
        (br_if $stop (i32.ne (i32.load8_u (local.get $end)) (i32.const 0x0a)))
        (br_if $stop (i32.gt_u (i32.sub (local.get $end) (local.get $at)) (global.get $longest)))
        (local.set $at (i32.add (local.get $end) (i32.const 1)))
        (local.set $lines (i32.add (local.get $lines) (i32.const 1)))
        (br $line)))
    (global.set $count (local.get $lines))
    (local.get $at)))
