; The keys of the three outer levels of each document. What lies in sequences is data.

(document
  (block_node
    (block_mapping
      (block_mapping_pair key: (_) @name) @definition.key)))

(document
  (block_node
    (block_mapping
      (block_mapping_pair
        value: (block_node
          (block_mapping
            (block_mapping_pair key: (_) @name) @definition.key))))))

(document
  (block_node
    (block_mapping
      (block_mapping_pair
        value: (block_node
          (block_mapping
            (block_mapping_pair
              value: (block_node
                (block_mapping
                  (block_mapping_pair key: (_) @name) @definition.key)))))))))

(anchor
  (anchor_name) @name) @definition.variable

(alias
  (alias_name) @reference.inherit)
