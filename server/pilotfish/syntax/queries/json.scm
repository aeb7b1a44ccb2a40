; The keys of the three outer levels of objects. What lies in arrays is data.

(document
  (object
    (pair key: (string) @name) @definition.key))

(document
  (object
    (pair
      value: (object
        (pair key: (string) @name) @definition.key))))

(document
  (object
    (pair
      value: (object
        (pair
          value: (object
            (pair key: (string) @name) @definition.key))))))
