; Elements that have a name of their own: an id, or a name.

((element
  [(STag (Attribute (Name) @_attribute (AttValue) @name)) (EmptyElemTag (Attribute (Name) @_attribute (AttValue) @name))])
  @definition.key
  (#any-of? @_attribute "id" "name" "xml:id" "x:Name" "x:Key" "Name" "Id"))

(document root: (element [(STag (Name) @name) (EmptyElemTag (Name) @name)]) @definition.object)

(GEDecl (Name) @name) @definition.constant
(elementdecl (Name) @name) @definition.class

; ---- imports ----

((element
  [
    (STag (Name) @_element (Attribute (Name) @_attribute (AttValue) @import.module))
    (EmptyElemTag (Name) @_element (Attribute (Name) @_attribute (AttValue) @import.module))
  ]) @import
  (#match? @_element "(^|:)([Ii]nclude|[Ii]mport|redefine|override|ProjectReference)$")
  (#any-of? @_attribute "href" "resource" "schemaLocation" "file" "Include" "Project"))

((StyleSheetPI
  (PseudoAtt (Name) @_attribute (PseudoAttValue) @import.module)) @import
  (#eq? @_attribute "href"))

; ---- references ----

(EntityRef (Name) @reference.type)
